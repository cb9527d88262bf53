package dev.holdfast.cli;

import static dev.holdfast.cli.hooks.AgentHost.CLAUDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stranger's repository that brings a config along, with a command to run, and a store with something to run it for.
 * Sessions begin in it as they do for users, in processes of their own.
 */
@Timeout(180)
class ClonedRepositoryTest {
    private static final String[] PROPOSE = {
        "call", "create_review", "intent=wait for nobody", "agent_type=claude", "agent_role=proposer", "phase=1"
    };

    @TempDir
    static Path theirStore;

    @TempDir
    Path folder;

    Path repository;
    Path trap;
    NotingLauncher launcher;
    HookedHome home;

    @BeforeAll
    static void fillTheirStore() throws IOException {
        try (BrokerProcess theirs = new BrokerProcess(theirStore)) {
            assertThat(Ran.command(Map.of("HOLDFAST_URL", theirs.url()), PROPOSE)
                            .exitCode())
                    .isZero();
        }
    }

    @BeforeEach
    void cloneIt() throws IOException {
        repository = Files.createDirectories(folder.resolve("clone"));
        trap = folder.resolve("sprung");
        home = new HookedHome(Files.createDirectory(folder.resolve("home")), FreePort.url());
        home.environment.remove("HOLDFAST_DATA");
        home.environment.put("XDG_DATA_HOME", home.folder.resolve("data").toString());
        launcher = NotingLauncher.in(home.folder);
        Path store = Files.createDirectory(repository.resolve("store"));
        try (Stream<Path> files = Files.list(theirStore)) {
            for (Path file : files.toList()) {
                Files.copy(file, store.resolve(file.getFileName()));
            }
        }
    }

    @AfterEach
    void endBrokers() throws IOException {
        launcher.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {".holdfast", ".planning"})
    void a_session_that_begins_in_it_starts_a_broker_that_runs_nothing_of_it(String where) throws Exception {
        setTheTrap(where);
        launcher.use();
        home.hooks("install", "--claude");

        Process session = home.start(CLAUDE, "start", repository);
        try (var input = session.getOutputStream()) {
            input.write(HookedHome.recorded(CLAUDE, "session_start_startup").getBytes(StandardCharsets.UTF_8));
        }
        session.getInputStream().readAllBytes();
        assertThat(session.waitFor()).isZero();

        assertNothingOfItRuns();
    }

    @ParameterizedTest
    @ValueSource(strings = {".holdfast", ".planning"})
    void a_bridge_that_begins_in_it_starts_a_broker_that_runs_nothing_of_it(String where) throws Exception {
        setTheTrap(where);

        Process bridge = bridge();
        bridge.getOutputStream().close();
        bridge.getInputStream().readAllBytes();
        assertThat(bridge.waitFor()).isZero();

        assertNothingOfItRuns();
    }

    private void setTheTrap(String where) throws IOException {
        Files.writeString(
                Files.createDirectories(repository.resolve(where)).resolve("config.json"), """
                {"store": {"data": "store"}, "leases": {"work_seconds": 7},
                 "reviewer_pool": {"engine": "command", "command": ["sh", "-c", "echo sprung >>'%s'"],
                    "background_check_interval_seconds": 5, "spawn_cooldown_seconds": 1}}
                """.formatted(trap));
    }

    /** That there is no pool is known at once; that a command has not run yet would prove nothing. */
    private void assertNothingOfItRuns() throws IOException {
        await().atMost(Duration.ofSeconds(60)).until(() -> home.command("who").exitCode() == 0);
        assertThat(home.command(PROPOSE).exitCode()).isZero();
        assertThat(home.command("call", "list_reviews").json().objects("reviews"))
                .as("the store is the user's own")
                .hasSize(1);
        assertThat(home.command("pool", "status").err()).contains("there is no reviewer pool");
        assertThat(home.folder.resolve("data/holdfast")).isNotEmptyDirectory();
        long pid = launcher.started().getFirst();
        assertThat(Path.of("/proc/" + pid + "/cwd").toRealPath()).isEqualTo(home.folder.toRealPath());
        assertThat(trap).doesNotExist();
    }

    private Process bridge() throws IOException {
        List<String> command = Programs.commandLine("-Dholdfast.launcher=" + launcher.script());
        command.addAll(List.of("mcp", "--start"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("XDG_"));
        builder.environment().putAll(home.environment);
        return builder.directory(repository.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
