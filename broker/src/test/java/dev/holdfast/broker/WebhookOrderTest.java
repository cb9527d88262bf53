package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is told of the ends of many tasks, and when. */
class WebhookOrderTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final Queue<String> twiceAtOnce = new ConcurrentLinkedQueue<>();
    private final Set<String> now = ConcurrentHashMap.newKeySet();
    private volatile boolean hanging;
    private HttpServer receiver;

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.createContext("/", exchange -> {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            exchange.getRequestBody().readAllBytes();
            calls.add(key);
            if (!now.add(key)) {
                twiceAtOnce.add(key);
            }
            if (hanging) {
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // long enough for another to meet it
            now.remove(key);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void leave() {
        receiver.stop(0);
    }

    private static Broker broker(Settings store) {
        return Broker.start(Config.of(store.put(Setting.PORT, 0L)
                .put(Setting.WEBHOOK_HOSTS, "127.0.0.1")
                .put(Setting.WEBHOOK_SECRET, "swordfish")));
    }

    private List<String> endSome(BrokerClient caller, int tasks) {
        String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/done";
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            String id = caller.call(
                            "create_task",
                            "name",
                            "job",
                            "steps",
                            List.of(Map.of("key", "only")),
                            "on_finish",
                            Map.of("webhook", Map.of("url", url)))
                    .text("task_id");
            ids.add(id);
            long generation = caller.call("claim_step", "step_id", id + ".only", "holder", "ann")
                    .generation();
            caller.call("complete_step", "step_id", id + ".only", "holder", "ann", "claim_generation", generation);
            await().atMost(LIMIT)
                    .until(() ->
                            caller.call("get_task", "task_id", id).text("state").equals("complete"));
        }
        return ids;
    }

    @Test
    void one_broker_tells_in_the_order_of_the_ends(@TempDir Path folder) {
        try (Broker broker = broker(
                        new Settings().put(Setting.DATA, TestSqlite.in(folder).toString()));
                BrokerClient caller = new BrokerClient(broker)) {
            List<String> ids = endSome(caller, 12);
            await().atMost(LIMIT).until(() -> calls.size() >= ids.size());
            assertThat(calls).containsExactlyElementsOf(ids);
        }
    }

    @Test
    void a_broker_that_stops_uses_up_no_attempts_of_what_it_has_not_begun(@TempDir Path folder) throws Exception {
        hanging = true;
        try (Broker broker = broker(
                        new Settings().put(Setting.DATA, TestSqlite.in(folder).toString()));
                BrokerClient caller = new BrokerClient(broker)) {
            endSome(caller, 8);
            await().atMost(LIMIT).until(() -> !calls.isEmpty());
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                ResultSet begun = connection
                        .createStatement()
                        .executeQuery("SELECT sum(attempts), sum(due_at IS NOT NULL) FROM outbox")) {
            assertThat(begun.next()).isTrue();
            assertThat(begun.getLong(1)).isEqualTo(calls.size());
            assertThat(begun.getLong(2)).isEqualTo(8);
        }
    }

    @Test
    void three_brokers_on_one_database_tell_each_end_once_and_never_two_at_once() {
        String database = TestPostgres.freshDatabase();
        try (Broker first = broker(new Settings().put(Setting.DATABASE, database));
                Broker _ = broker(new Settings().put(Setting.DATABASE, database));
                Broker _ = broker(new Settings().put(Setting.DATABASE, database));
                BrokerClient caller = new BrokerClient(first)) {
            List<String> ids = endSome(caller, 60);
            await().atMost(LIMIT).until(() -> calls.size() >= ids.size());
            assertThat(calls).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(twiceAtOnce).isEmpty();
        }
    }
}
