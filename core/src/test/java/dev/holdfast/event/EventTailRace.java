package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many write events at once, some give up, some take their time, some go through two phases; followers, among them some
 * that come late, must hear of every one that was committed, once and in order.
 */
record EventTailRace(String database, long seed, int writers, int rounds) {
    /** @param writers with few of them a hole often has nobody else to be waited for */
    EventTailRace(long seed, int writers, int rounds) {
        this(TestPostgres.freshDatabase(), seed, writers, rounds);
    }

    private record Follower(EventTail tail, List<Long> heard) {
        static Follower of(PostgresStore store) {
            EventTail tail = EventTail.start(store);
            List<Long> heard = new CopyOnWriteArrayList<>();
            tail.watch(event -> heard.add(event.id()));
            return new Follower(tail, heard);
        }
    }

    void run() throws Exception {
        try (PostgresStore first = PostgresStore.open(database);
                PostgresStore second = PostgresStore.open(database);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Follower early = Follower.of(first);
            List<Future<?>> writing = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                Random random = new Random(seed * 100 + i);
                String name = "w" + seed + "_" + i;
                writing.add(threads.submit(() -> write(name, random)));
            }
            await().until(() -> {
                early.tail().changed();
                return early.heard().size() > rounds;
            });
            Follower late = Follower.of(second);
            List<Long> asked = new ArrayList<>();
            while (!writing.stream().allMatch(Future::isDone)) {
                ask(late.tail(), asked);
                early.tail().changed();
                late.tail().changed();
            }
            for (Future<?> writer : writing) {
                writer.get();
            }
            List<Long> all = committed();
            ask(late.tail(), asked);
            ask(late.tail(), asked);
            assertThat(asked).as("asked for page by page, seed %d", seed).isEqualTo(all);
            early.tail().changed();
            late.tail().changed();
            assertHeard(early, all);
            assertHeard(late, all);
            early.tail().close();
            late.tail().close();
        }
    }

    /** Everything from the first that it heard of on. */
    private void assertHeard(Follower follower, List<Long> all) {
        await().untilAsserted(() -> {
            List<Long> heard = List.copyOf(follower.heard());
            int since = heard.isEmpty() ? all.size() - 1 : all.indexOf(heard.getFirst());
            assertThat(heard).as("seed %d", seed).isEqualTo(all.subList(since, all.size()));
        });
    }

    private static void ask(EventTail tail, List<Long> asked) {
        tail.after(asked.isEmpty() ? 0 : asked.getLast(), 10_000).forEach(event -> asked.add(event.id()));
    }

    private void write(String name, Random random) {
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < rounds; round++) {
                statement.execute("SELECT pg_sleep(" + random.nextInt(4) / 1_000.0 + ")"); // nobody may be writing
                if (random.nextInt(8) == 0) {
                    statement.execute("SAVEPOINT here");
                    insert(statement, name, 1 + random.nextInt(3));
                    statement.execute("ROLLBACK TO here");
                }
                insert(statement, name, 1 + random.nextInt(3));
                if (random.nextInt(10) == 0) {
                    statement.execute("SELECT pg_sleep(" + random.nextInt(200) / 1_000.0 + ")"); // a long transaction
                }
                switch (random.nextInt(12)) {
                    case 0, 1, 2 -> connection.rollback();
                    case 3 -> inTwoPhases(connection, statement, name + "_" + round, random);
                    default -> connection.commit();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a writer stumbled: " + e.getMessage(), e);
        }
    }

    private static void insert(Statement statement, String name, int events) throws SQLException {
        statement.execute("INSERT INTO events (at, type, resource, origin) SELECT now(), 'claimed', 'key:" + name
                + "', 0 FROM generate_series(1, " + events + ")");
    }

    private static void inTwoPhases(Connection connection, Statement statement, String id, Random random)
            throws SQLException {
        statement.execute("PREPARE TRANSACTION '" + id + "'");
        connection.rollback();
        connection.setAutoCommit(true);
        statement.execute("SELECT pg_sleep(" + random.nextInt(50) / 1_000.0 + ")");
        statement.execute((random.nextBoolean() ? "COMMIT" : "ROLLBACK") + " PREPARED '" + id + "'");
        connection.setAutoCommit(false);
    }

    private List<Long> committed() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM events ORDER BY id")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
