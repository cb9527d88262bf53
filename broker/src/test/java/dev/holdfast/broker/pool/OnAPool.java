package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A broker with a pool of real processes, whose times are shorter than a config file may make them. They are real as well: a
 * process starts, works and ends in its own time. What the pool decides by the clock is tested in {@link OnASettableClock}.
 */
abstract class OnAPool {
    static final List<String> SLEEPER = List.of("sleep", "100000");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path workspace;

    @SuppressWarnings("NullAway.Init")
    Broker broker;

    @SuppressWarnings("NullAway.Init")
    BrokerClient caller;

    PoolConfig.Size size = size(3, 3, Duration.ofMillis(1), Duration.ofMinutes(5));
    PoolConfig.Scope scope = PoolConfig.Scope.FOLDER;
    /** The folders of those that are not in the workspace, by name. */
    Map<String, String> projects = Map.of();

    PoolConfig.Limits limits = new PoolConfig.Limits(null, null, 256 << 20);

    /** What reviewers are told; null: what comes with Holdfast. */
    @Nullable
    Path template;

    abstract Settings store();

    static PoolConfig.Size size(int max, double ratio, Duration cooldown, Duration idle) {
        return new PoolConfig.Size(
                max, ratio, cooldown, Duration.ofMinutes(2), idle, Duration.ofHours(1), Duration.ofSeconds(1));
    }

    void start(List<String> command) {
        start(
                new PoolConfig.Engine("command", null, command, Set.of(), Set.of()),
                new PoolConfig.Model("gpt-5.3-codex", "high", Map.of()));
    }

    void start(PoolConfig.Engine engine, PoolConfig.Model model) {
        Config config = Config.of(store().put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, workspace.toString())
                .put(Setting.PROJECTS, projects));
        PoolConfig pool = new PoolConfig(
                engine, model, new PoolConfig.Workspace(workspace, null, "Ubuntu", scope), template, size, limits);
        broker = Broker.start(new Config(
                config.server(),
                config.store(),
                config.leases(),
                config.sweeps(),
                config.reviews(),
                pool,
                config.work(),
                config.tasks(),
                config.retention(),
                config.limits(),
                config.given()));
        // a pool starts reviewers under its broker's name, which is claimed a moment after the start
        await().until(() -> !broker.claims().held(Kind.BROKER, null, null).isEmpty());
        caller = new BrokerClient(broker);
    }

    @AfterEach
    void stop() {
        if (caller != null) {
            caller.close();
            broker.close();
        }
    }

    String create(String project, Object... more) {
        Reply reply = caller.call("create_review", Given.with(more, Given.proposal("project", project)));
        assertThat(reply.status()).isEqualTo(200);
        return reply.text("review_id");
    }

    String status(String review) {
        return caller.call("get_review_status", "review_id", review).text("status");
    }

    List<JsonNode> reviewers() {
        return stream(caller.call("list_reviewers").body().path("reviewers")).toList();
    }

    List<JsonNode> reviewers(String status) {
        return reviewers().stream()
                .filter(reviewer -> reviewer.path("status").asString().equals(status))
                .toList();
    }

    static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    List<String> events(String reviewer) {
        return stream(caller.call("get_events", "resource", "reviewer:" + reviewer)
                        .body()
                        .path("events"))
                .map(event -> event.path("type").asString())
                .toList();
    }

    /** Of this test's reviewers, counted by asking the system. */
    int processes() {
        return processes(caller.call("list_reviewers").text("session_token"));
    }

    static int processes(String session) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return (int) all.filter(one -> one.getFileName().toString().matches("\\d+"))
                    .filter(one -> {
                        try {
                            return Files.readString(one.resolve("environ"), StandardCharsets.ISO_8859_1)
                                    .matches("(?s).*HOLDFAST_REVIEWER=[^\0]*" + session + ".*");
                        } catch (IOException _) {
                            return false;
                        }
                    })
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean lives(JsonNode reviewer) {
        return ProcessHandle.of(reviewer.path("pid").asLong())
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }
}
