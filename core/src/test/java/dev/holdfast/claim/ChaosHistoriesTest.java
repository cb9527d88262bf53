package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Subject.DomainEvent;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.Relay;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The claims of three brokers in one process, without HTTP, which allows many more calls per second. Round after round,
 * their connections to PostgreSQL are ended, cut or delayed, and the server crashes; each round's complete history is
 * checked.
 */
@Tag("chaos")
class ChaosHistoriesTest {
    private static final long SEED = Long.getLong("holdfast.chaos.seed", 16);
    private static final Duration LENGTH = Duration.ofMinutes(Long.getLong("holdfast.chaos.minutes", 2));
    private static final int BROKERS = 3;
    private static final int THREADS = 64;
    private static final int CALLS = 500;
    private static final List<Resource> RESOURCES = Stream.concat(
                    IntStream.range(0, 64).mapToObj(i -> Resource.key("k" + i)),
                    IntStream.range(0, 32).mapToObj(i -> Resource.parse("work:" + i)))
            .toList();

    private enum Fault {
        SESSIONS_ENDED,
        CONNECTIONS_CUT,
        CONNECTIONS_SLOW,
        SERVER_CRASHED
    }

    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private long operations;
    private long unknown;

    @Test
    void whatever_becomes_of_their_connections_every_history_of_three_brokers_is_in_order() throws Exception {
        Random random = new Random(SEED);
        long end = System.nanoTime() + LENGTH.toNanos();
        int rounds = 0;
        List<String> broken = new ArrayList<>();
        while (System.nanoTime() < end && broken.isEmpty()) {
            broken.addAll(round(rounds++, random));
        }
        String text = "seed %d, %d s, %d rounds: %d operations, %d of unknown outcome, %d violations; faults: %s%n"
                .formatted(SEED, LENGTH.toSeconds(), rounds, operations, unknown, broken.size(), faults);
        System.out.print(text);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("chaos-histories.txt"), text);
        assertThat(broken).isEmpty();
    }

    private List<String> round(int number, Random random) throws Exception {
        String database = TestPostgres.freshDatabase();
        int port = URI.create(database.substring("jdbc:".length())).getPort();
        try (Relay relay = new Relay(port)) {
            String through = database.replace(":" + port, ":" + relay.port());
            List<PostgresStore> stores = new ArrayList<>();
            try {
                for (int i = 0; i < BROKERS; i++) {
                    stores.add(PostgresStore.open(i == 0 ? through : database));
                }
                List<CompletableFuture<List<Call>>> running = IntStream.range(0, BROKERS)
                        .mapToObj(i -> CompletableFuture.supplyAsync(
                                () -> workload(number, i).run(stores.get(i))))
                        .toList();
                CompletableFuture<Void> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
                while (!over(all, Duration.ofMillis(random.nextInt(200, 1_500)))) {
                    breakSomething(Fault.values()[random.nextInt(Fault.values().length)], database, relay, all);
                }
                relay.recover();
                List<Call> calls =
                        running.stream().flatMap(one -> one.join().stream()).toList();
                operations += calls.size();
                unknown += calls.stream().filter(Call::unknown).count();
                List<DomainEvent> events = StoreClaims.events(stores.get(1));
                List<String> broken = HistoryCheck.broken(calls, events);
                if (!broken.isEmpty()) {
                    keep(calls, events);
                }
                return broken;
            } finally {
                stores.forEach(PostgresStore::close);
            }
        } finally {
            String name = database.replaceAll(".*/|\\?.*", "");
            TestPostgres.execute(database.replace("/" + name, "/postgres"), "DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    /** Such a history can hardly be reproduced. */
    private static void keep(List<Call> calls, List<DomainEvent> events) throws IOException {
        Files.write(
                Files.createDirectories(Path.of("target")).resolve("chaos-history.txt"),
                Stream.concat(
                                calls.stream()
                                        .sorted(Comparator.comparingLong(Call::invoked))
                                        .map(Call::toString),
                                events.stream().map(DomainEvent::toString))
                        .toList());
    }

    private static HistoryWorkload workload(int round, int broker) {
        return new HistoryWorkload(
                "b" + broker, THREADS, CALLS, RESOURCES, SEED * 1_000_003 + round * 10L + broker, false);
    }

    private static boolean over(CompletableFuture<Void> all, Duration within)
            throws ExecutionException, InterruptedException {
        try {
            all.get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }

    private void breakSomething(Fault fault, String database, Relay relay, CompletableFuture<Void> all)
            throws Exception {
        switch (fault) {
            case SESSIONS_ENDED ->
                TestPostgres.execute(
                        database,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND application_name = 'holdfast'");
            case CONNECTIONS_CUT -> relay.cut();
            case CONNECTIONS_SLOW -> {
                relay.delay(Duration.ofMillis(20));
                over(all, Duration.ofMillis(500));
                relay.recover();
            }
            case SERVER_CRASHED -> crash(database);
        }
        faults.merge(fault, 1, Integer::sum);
    }

    /** SIGKILL of one session makes the server end all others, lose its memory and recover from its write-ahead log. */
    private static void crash(String database) throws IOException, SQLException {
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet own = statement.executeQuery("SELECT pg_backend_pid()")) {
            own.next();
            ProcessHandle.of(own.getLong(1))
                    .orElseThrow(() -> new IOException("no such process"))
                    .destroyForcibly();
        }
        awaitServer(database);
    }

    private static void awaitServer(String database) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            TestPostgres.execute(database, "SELECT 1");
            return true;
        });
    }
}
