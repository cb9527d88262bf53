package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a store without combined commits does, in its own JVM: the same schema and the same changes with fence and
 * event, on one SQLite connection that the agents share in turn, one durable transaction per call.
 */
final class OneTransactionPerCall {
    private static final String OWN = """
            SELECT key FROM resources WHERE state = 'held' AND holder = ? AND kind = 'work' AND NOT confirmed LIMIT 1""";
    private static final String READY = """
            SELECT key FROM resources WHERE state = 'ready' AND NOT kept AND not_before IS NULL AND kind = 'work'
                AND queue = '' ORDER BY priority, seq LIMIT 1""";
    private static final String GRANT = """
            UPDATE resources SET state = 'held', holder = ?, generation = generation + 1, acquired_at = ?, renewed_at = ?,
                expires_at = ?, lease = 2700000000, request_id = ? WHERE key = ? AND state = 'ready' RETURNING generation""";
    private static final String END = """
            UPDATE resources SET state = 'done', holder = NULL, acquired_at = NULL, renewed_at = NULL, expires_at = NULL,
                lease = NULL, request_id = NULL, ended_generation = generation, ended_by = holder,
                ended_as = 'completed as done', attempts = 0
            WHERE key = ? AND state = 'held' AND holder = ? AND generation = ? RETURNING generation""";
    private static final String EVENT = """
            INSERT INTO events (at, type, resource, actor, generation, origin) VALUES (?, ?, ?, ?, ?, 1)""";

    private record Grant(String key, long generation) {}

    private final ReentrantLock turn = new ReentrantLock();
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement own;
    private final PreparedStatement ready;
    private final PreparedStatement grant;
    private final PreparedStatement end;
    private final PreparedStatement event;
    private long calls;

    private OneTransactionPerCall(Connection connection) throws SQLException {
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        own = connection.prepareStatement(OWN);
        ready = connection.prepareStatement(READY);
        grant = connection.prepareStatement(GRANT);
        end = connection.prepareStatement(END);
        event = connection.prepareStatement(EVENT);
    }

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        Path folder = Path.of(arguments.getOrDefault("store", ""));
        SqliteStore.open(folder).close(); // creates the schema
        WorkItems items = new WorkItems.OnSqlite(folder);
        items.make(Integer.parseInt(arguments.getOrDefault("rows", "1")), "work");
        AtomicBoolean stopped = new AtomicBoolean();
        LongAdder done = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        try (Connection connection = DurableSqlite.open(folder.resolve("holdfast.db"))) {
            OneTransactionPerCall calls = new OneTransactionPerCall(connection);
            for (int i = 1; i <= Integer.parseInt(arguments.getOrDefault("agents", "1")); i++) {
                String holder = "agent-" + i;
                threads.add(Thread.ofVirtual().start(() -> calls.agent(holder, stopped, done)));
            }
            Thread.sleep(Long.parseLong(arguments.getOrDefault("warm", "0")));
            long before = done.sum();
            long start = System.nanoTime();
            Thread.sleep(Long.parseLong(arguments.getOrDefault("measured", "1000")));
            long units = done.sum() - before;
            double seconds = (System.nanoTime() - start) / 1e9;
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            long stored = items.count("SELECT count(*) FROM resources WHERE state = 'done'");
            Map<String, Double> details = new LinkedHashMap<>();
            details.put("units", done.doubleValue());
            List<String> violations =
                    stored == done.sum() ? List.of() : List.of(stored + " are done, " + done + " were acknowledged");
            System.out.println(Figures.write(new Figure(units / seconds, details, violations)));
        }
    }

    private void agent(String holder, AtomicBoolean stopped, LongAdder done) {
        try {
            while (!stopped.get()) {
                Grant held = claim(holder);
                complete(holder, held);
                done.increment();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Grant claim(String holder) throws SQLException {
        turn.lock();
        try {
            begin.executeUpdate();
            own.setString(1, holder);
            if (first(own) != null) {
                throw new IllegalStateException(holder + " holds something already");
            }
            String key = String.valueOf(first(ready));
            long now = System.currentTimeMillis() * 1_000;
            grant.setString(1, holder);
            grant.setLong(2, now);
            grant.setLong(3, now);
            grant.setLong(4, now + 2_700_000_000L);
            grant.setString(5, "call-" + ++calls);
            grant.setString(6, key);
            long generation = Long.parseLong(String.valueOf(first(grant)));
            tell("claimed", key, holder, generation, now);
            commit.executeUpdate();
            return new Grant(key, generation);
        } finally {
            turn.unlock();
        }
    }

    private void complete(String holder, Grant held) throws SQLException {
        turn.lock();
        try {
            begin.executeUpdate();
            end.setString(1, held.key());
            end.setString(2, holder);
            end.setLong(3, held.generation());
            long generation = Long.parseLong(String.valueOf(first(end)));
            tell("completed", held.key(), holder, generation, System.currentTimeMillis() * 1_000);
            commit.executeUpdate();
        } finally {
            turn.unlock();
        }
    }

    private void tell(String type, String key, String holder, long generation, long now) throws SQLException {
        event.setLong(1, now);
        event.setString(2, type);
        event.setString(3, key);
        event.setString(4, holder);
        event.setLong(5, generation);
        event.executeUpdate();
    }

    private static @org.jspecify.annotations.Nullable String first(PreparedStatement query) throws SQLException {
        try (ResultSet results = query.executeQuery()) {
            return results.next() ? results.getString(1) : null;
        }
    }
}
