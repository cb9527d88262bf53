package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.broker.crash.BrokerProcess.Answer;
import dev.holdfast.testing.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A backup is made while agents work; then everything is killed at once and its store is lost. A broker on the restored backup has
 * all that was acknowledged before the backup began, gives no generation again, refuses all former holders, and goes on.
 */
@Tag("heavy")
@Timeout(300)
class RestoreAfterKillTest {
    private static final int AGENTS = 16;
    private static final int ENOUGH = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> granted = new ConcurrentHashMap<>();
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();

    @Test
    void sqlite() throws Exception {
        Path data = folder.resolve("first");
        Set<String> kept;
        try (BrokerProcess broker = BrokerProcess.Start.onSqlite(data).now()) {
            kept = workAndBackUp(broker, broker::kill, "--data", data.toString());
        }
        Path again = folder.resolve("again");
        run("restore", "--data", again.toString());
        try (BrokerProcess broker = BrokerProcess.Start.onSqlite(again).now()) {
            startWaiting(broker, kept);
        }
    }

    @Test
    void postgresql() throws Exception {
        Set<String> kept;
        try (EmbeddedPostgres server = TestPostgres.ownServer()) {
            String first = server.getJdbcUrl("postgres", "postgres");
            try (BrokerProcess broker = BrokerProcess.Start.onPostgres(first).now()) {
                kept = workAndBackUp(
                        broker,
                        () -> {
                            broker.kill();
                            killServer(server);
                        },
                        "--database",
                        first);
            }
        }
        String again = TestPostgres.emptyDatabase();
        run("restore", "--database", again);
        try (BrokerProcess broker = BrokerProcess.Start.onPostgres(again).now()) {
            startWaiting(broker, kept);
        }
    }

    private interface Kill {
        void all() throws Exception;
    }

    /** @return what was acknowledged before the backup began */
    private Set<String> workAndBackUp(BrokerProcess broker, Kill kill, String... store) throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        List<Future<?>> working = new ArrayList<>();
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AGENTS; i++) {
                String name = "agent-" + i;
                working.add(agents.submit(() -> work(broker, name, killed)));
            }
            await().atMost(PATIENCE).until(() -> created.size() > ENOUGH && granted.size() > ENOUGH);
            Set<String> before = Set.copyOf(created);
            run("backup", store);
            int since = created.size();
            await().atMost(PATIENCE).until(() -> created.size() > since + ENOUGH);
            killed.set(true);
            kill.all();
            for (Future<?> agent : working) {
                agent.get();
            }
            return before;
        }
    }

    private static void killServer(EmbeddedPostgres server) throws SQLException {
        ProcessHandle postmaster = ProcessHandle.of(postmaster(server)).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static long postmaster(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_read_file('postmaster.pid')")) {
            row.next();
            return Long.parseLong(
                    row.getString(1).lines().findFirst().orElseThrow().strip());
        }
    }

    /** Makes an item and takes a key, again and again, keeping every other key. */
    private Void work(BrokerProcess broker, String name, AtomicBoolean killed) throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                String item = name + "-" + i;
                Answer made = broker.call("create_work", Map.of("id", item, "title", "do " + item));
                if (note(made, "create_work")) {
                    created.add(item);
                }
                String key = "key:" + name + "-" + i / 2;
                Answer claim = broker.call("claim", Map.of("resource", key, "holder", name, "ttl_seconds", 600));
                if (note(claim, "claim")) {
                    granted.merge(key, claim.generation(), Math::max);
                }
                if (i % 2 == 0 && claim.status() == 200) {
                    note(
                            broker.call(
                                    "release",
                                    Map.of("resource", key, "holder", name, "claim_generation", claim.generation())),
                            "release");
                }
            } catch (IOException e) {
                if (!killed.get()) {
                    odd.add(name + ": " + e);
                }
                return null;
            }
        }
    }

    private boolean note(Answer answer, String verb) {
        if (answer.status() >= 400 && !answer.text("code").equals("busy")) {
            odd.add(verb + ": " + answer.status() + " " + answer.body());
        }
        return answer.status() == 200;
    }

    private void startWaiting(BrokerProcess broker, Set<String> kept) throws Exception {
        assertThat(odd).isEmpty();
        int lost = 0;
        for (String item : created) {
            int status = broker.call("get_work", Map.of("id", item)).status();
            if (status != 200) {
                lost++;
                assertThat(kept).as("acknowledged before the backup, and gone").doesNotContain(item);
            }
        }
        long highest =
                granted.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        for (Map.Entry<String, Long> one : granted.entrySet()) {
            String holder = one.getKey().replaceAll("^key:|-\\d+$", "");
            Map<String, Object> claim = new HashMap<>(Map.of("resource", one.getKey(), "holder", holder));
            claim.put("claim_generation", one.getValue());
            assertThat(broker.call("heartbeat", claim).text("code"))
                    .as("whoever held %s before", one.getKey())
                    .isIn("lost", "stale", "not_found", "not_held", "wrong_holder");
            assertThat(broker.call("claim", Map.of("resource", one.getKey(), "holder", "new"))
                            .generation())
                    .isGreaterThan(Math.max(highest, 1_000_000));
        }
        for (String item : kept.stream().limit(50).toList()) {
            JsonNode claim = broker.call("claim_work", Map.of("id", item, "holder", "new"))
                    .body()
                    .path("claim");
            Map<String, Object> close = new HashMap<>(Map.of("id", item, "holder", "new"));
            close.put("claim_generation", claim.path("claim_generation").asLong());
            assertThat(broker.call("close_work", close).status()).isEqualTo(200);
        }
        System.out.printf(
                "%d items and %d grants acknowledged; %d items from after the backup lost, none of the %d before it%n",
                created.size(), granted.size(), lost, kept.size());
    }

    private void run(String command, String... store) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        UserFolders folders =
                new UserFolders(folder.resolve("data"), folder.resolve("config"), folder.resolve("state"));
        List<String> words = List.of(command, "copy", store[0], store[1]);
        assertThat(new StoreCommands(new CommandContext(Map.of(), folder, folders, () -> 0, out, out)).run(words))
                .as(said.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(folder.resolve("copy")).matches(Files::exists);
    }
}
