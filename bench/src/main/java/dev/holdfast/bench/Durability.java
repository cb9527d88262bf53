package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * Kills PostgreSQL with SIGKILL while 32 agents work, and restarts it while they go on: every acknowledged completion,
 * before or after, must be there.
 */
final class Durability {
    private static final int ROWS = 400_000;
    private static final Duration BEFORE = Duration.ofSeconds(4);
    private static final Duration ALL = Duration.ofSeconds(8);

    /** @param acknowledged the number of acknowledged completions; zero: the check has proved nothing */
    record Checked(long acknowledged, List<String> violations) {}

    private Durability() {}

    static Checked check(Lab lab) throws Exception {
        PostgresServer server = lab.server();
        String url = server.newDatabase();
        Path acknowledged = lab.folder().resolve("acknowledged");
        FutureTask<Figure> agents = ChildJvm.of(AgentsRun.class)
                .with("store", url)
                .with("way", Way.FUSED)
                .with("agents", 32)
                .with("rows", ROWS)
                .with("measured", ALL.toMillis())
                .with("acknowledged", acknowledged)
                .start();
        awaitFirstCompletions(url, agents);
        Thread.sleep(BEFORE.minusSeconds(2));
        server.kill();
        server.start();
        List<String> violations = new ArrayList<>(agents.get().violations());
        Map<String, Long> done = done(url);
        List<String> lines = Files.readAllLines(acknowledged);
        for (String line : lines) {
            String[] parts = line.split(" ");
            Long generation = done.get("work:" + parts[0]);
            if (generation == null || generation != Long.parseLong(parts[1])) {
                violations.add("work:" + parts[0] + " was acknowledged as completed at " + parts[1]
                        + ", but after the crash it is " + (generation == null ? "not done" : "at " + generation));
            }
        }
        if (lines.isEmpty()) {
            violations.add("nothing was completed, so nothing was shown");
        }
        server.drop(url);
        return new Checked(lines.size(), violations);
    }

    private static void awaitFirstCompletions(String url, FutureTask<Figure> agents) throws Exception {
        while (!agents.isDone()) {
            boolean made = PostgresServer.value(url, "SELECT to_regclass('events') IS NOT NULL")
                    .equals("t");
            if (made
                    && PostgresServer.value(url, "SELECT EXISTS (SELECT 1 FROM events)")
                            .equals("t")) {
                return;
            }
            Thread.sleep(50);
        }
    }

    private static Map<String, Long> done(String url) throws Exception {
        Map<String, Long> done = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet results =
                        statement.executeQuery("SELECT key, ended_generation FROM resources WHERE state = 'done'")) {
            while (results.next()) {
                done.put(results.getString(1), results.getLong(2));
            }
        }
        return done;
    }
}
