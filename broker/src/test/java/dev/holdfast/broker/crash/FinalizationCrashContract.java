package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.broker.crash.BrokerProcess.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A broker that ends a task by itself is killed at each point of it: the task ends once, and the webhook hears of it. */
abstract class FinalizationCrashContract {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final CountDownLatch answering = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init")
    private HttpServer receiver;

    abstract BrokerProcess.Start store();

    /** A JDBC address. */
    abstract String database();

    /** Whoever does this to the table, such as INSERT, does not come to an end. */
    abstract void hang(Connection connection, String table, String change) throws SQLException;

    /** What hung is over, and nothing hangs any more. */
    abstract void unhang(Connection connection, String table) throws SQLException;

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            calls.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            try {
                answering.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void leave() {
        answering.countDown();
        receiver.stop(0);
    }

    /** Leases are real: processes are killed, and share no clock with the test. */
    private BrokerProcess start() throws IOException {
        Path config = Files.writeString(
                folder.resolve("config.json"),
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "leases",
                                Map.of("finalization_seconds", 1),
                                "tasks",
                                Map.of("webhook_hosts", "127.0.0.1", "webhook_secret", "swordfish"))));
        return store().with("HOLDFAST_CONFIG", config.toString()).now();
    }

    private String create(BrokerProcess broker) throws Exception {
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/done";
        return broker.call(
                        "create_task",
                        Map.of(
                                "name",
                                "job",
                                "steps",
                                List.of(Map.of("key", "only")),
                                "on_finish",
                                Map.of("webhook", Map.of("url", url))))
                .text("task_id");
    }

    private static void complete(BrokerProcess broker, String taskId) throws Exception {
        Answer taken = broker.call("claim_step", Map.of("step_id", taskId + ".only", "holder", "ann"));
        assertThat(broker.call(
                                "complete_step",
                                Map.of(
                                        "step_id",
                                        taskId + ".only",
                                        "holder",
                                        "ann",
                                        "claim_generation",
                                        taken.generation()))
                        .status())
                .isEqualTo(200);
    }

    static long count(Connection connection, String what) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + what)) {
            row.next();
            return row.getLong(1);
        }
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Another broker finds what the killed one has left; the task has one end, and the webhook has heard of it. */
    private void comesToItsEnd(Connection connection, String taskId) throws Exception {
        answering.countDown();
        try (BrokerProcess broker = start()) {
            await().atMost(LIMIT)
                    .until(() -> count(connection, "outbox WHERE delivered_at IS NOT NULL AND due_at IS NULL") == 1);
            assertThat(broker.call("get_task", Map.of("task_id", taskId)).text("state"))
                    .isEqualTo("complete");
            broker.stop();
        }
        assertThat(calls).containsOnly(taskId);
        assertThat(count(connection, "outbox")).isEqualTo(1);
        assertThat(count(connection, "events WHERE type = 'task_finished'")).isEqualTo(1);
        assertThat(count(connection, "finalization_attempts WHERE outcome = 'finished'"))
                .isEqualTo(1);
    }

    @Test
    void killed_after_the_claim_and_before_the_end_another_claim_ends_it() throws Exception {
        try (Connection connection = DriverManager.getConnection(database())) {
            String taskId;
            try (BrokerProcess broker = start()) {
                taskId = create(broker);
                hang(connection, "outbox", "INSERT");
                complete(broker, taskId);
                await().atMost(LIMIT)
                        .until(() -> count(connection, "finalization_attempts WHERE outcome = 'granted'") == 1);
                broker.kill();
            }
            assertThat(count(connection, "tasks WHERE state = 'open'")).isEqualTo(1);
            unhang(connection, "outbox");
            comesToItsEnd(connection, taskId);
            assertThat(calls).hasSize(1);
            assertThat(count(
                            connection,
                            "events WHERE resource LIKE 'finalization:%' AND type IN ('claimed', 'taken_over')"))
                    .isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void killed_after_the_end_and_before_the_webhook_is_called_it_is_called_by_another() throws Exception {
        try (Connection connection = DriverManager.getConnection(database())) {
            String taskId;
            try (BrokerProcess broker = start()) {
                taskId = create(broker);
                hang(connection, "outbox", "UPDATE");
                complete(broker, taskId);
                await().atMost(LIMIT).until(() -> count(connection, "tasks WHERE state = 'complete'") == 1);
                broker.kill();
            }
            assertThat(calls).isEmpty();
            unhang(connection, "outbox");
            comesToItsEnd(connection, taskId);
            assertThat(calls).hasSize(1);
        }
    }

    @Test
    void killed_while_the_webhook_is_called_it_is_called_again_with_the_same_key() throws Exception {
        try (Connection connection = DriverManager.getConnection(database())) {
            String taskId;
            try (BrokerProcess broker = start()) {
                taskId = create(broker);
                complete(broker, taskId);
                await().atMost(LIMIT).until(() -> calls.size() == 1);
                broker.kill();
            }
            assertThat(count(connection, "outbox WHERE attempts = 1 AND delivered_at IS NULL"))
                    .isEqualTo(1);
            execute(connection, "UPDATE outbox SET due_at = created_at"); // the two minutes of the dead one are over
            comesToItsEnd(connection, taskId);
            assertThat(calls).containsExactly(taskId, taskId);
        }
    }
}
