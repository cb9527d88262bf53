package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claims;
import dev.holdfast.store.PostgresStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Agents in their own JVM next to a snapshot that keeps dead rows alive; reports how much of their speed is left. */
final class HeldSnapshotRun {
    private static final int AGENTS = 8;
    private static final int MAX_PER_SECOND = 15_000;
    private static final long ENDS = 3_000;
    private static final long BETWEEN = 4_000;

    private HeldSnapshotRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        String url = arguments.getOrDefault("store", "");
        long warm = Long.parseLong(arguments.getOrDefault("warm", "0"));
        int rows = Math.toIntExact(MAX_PER_SECOND * (warm + 2 * ENDS + BETWEEN + 1_000) / 1_000);
        Guards guards = new Guards(rows);
        AtomicBoolean stopped = new AtomicBoolean();
        Map<String, Double> details = new LinkedHashMap<>();
        double first;
        double last;
        try (PostgresStore store = PostgresStore.open(url)) {
            new WorkItems.OnPostgres(url).make(rows, "work");
            try (Claims claims = Claims.over(store)) {
                List<Thread> threads = new ArrayList<>();
                for (int i = 1; i <= AGENTS; i++) {
                    AgentLoop loop = new AgentLoop(claims, "agent-" + i, guards, () -> false, stopped::get);
                    threads.add(Thread.startVirtualThread(() -> loop.run(Way.COMPLETE, new AtomicInteger())));
                }
                Thread.sleep(warm);
                try (Connection idle = holdingASnapshot(url)) {
                    first = perSecond(guards);
                    Thread.sleep(BETWEEN);
                    last = perSecond(guards);
                    idle.rollback();
                }
                stopped.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
        details.put("units per second in the first 3 s", first);
        details.put("units per second in the last 3 s", last);
        System.out.println(Figures.write(new Figure(last / first, details, guards.violations())));
    }

    private static double perSecond(Guards guards) throws InterruptedException {
        long before = guards.completions();
        long start = System.nanoTime();
        Thread.sleep(ENDS);
        return (guards.completions() - before) * 1e9 / (System.nanoTime() - start);
    }

    private static Connection holdingASnapshot(String url) throws SQLException {
        Connection idle = DriverManager.getConnection(url);
        idle.setAutoCommit(false);
        idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = idle.createStatement()) {
            statement.execute("SELECT key FROM resources LIMIT 1");
        }
        return idle;
    }
}
