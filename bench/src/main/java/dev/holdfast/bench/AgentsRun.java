package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claims;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Our side, in its own JVM: agents on virtual threads, each with its own holder, calling {@link Claims} in process. */
final class AgentsRun {
    private final Way way;
    private final int agents;
    private final long warm;
    private final long measured;
    private final Guards guards;
    private final Batches batches = new Batches();
    private final AtomicBoolean measuring = new AtomicBoolean();
    private final AtomicBoolean stopped = new AtomicBoolean();

    private AgentsRun(Map<String, String> arguments, int rows) {
        way = Way.valueOf(arguments.getOrDefault("way", ""));
        agents = Integer.parseInt(arguments.getOrDefault("agents", "1"));
        warm = Long.parseLong(arguments.getOrDefault("warm", "0"));
        measured = Long.parseLong(arguments.getOrDefault("measured", "1000"));
        guards = new Guards(rows);
    }

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        int rows = Integer.parseInt(arguments.getOrDefault("rows", "1"));
        int finished = Integer.parseInt(arguments.getOrDefault("finished", "0"));
        String place = arguments.getOrDefault("store", "");
        boolean postgres = place.startsWith("jdbc:");
        AgentsRun run = new AgentsRun(arguments, rows);
        Figure figure;
        String stored = "SELECT count(*) FROM events WHERE type = ";
        try (WorkItems items = postgres ? new WorkItems.OnPostgres(place) : new WorkItems.OnSqlite(Path.of(place))) {
            long commits;
            try (Store store = postgres ? PostgresStore.open(place) : SqliteStore.open(Path.of(place))) {
                items.finished(finished);
                items.make(rows, run.way == Way.NAME_TIMED ? "key" : "work");
                commits = items.commits();
                store.observer(run.batches);
                try (Claims claims = Claims.over(store)) {
                    figure = run.measure(claims, place);
                }
            } // its connections report their counts when they end
            figure.details()
                    .put("transactions per unit", (items.commits() - commits) / (double) run.guards.completions());
            Guards guards = run.guards;
            guards.stored("grants", items.count(stored + "'claimed'"), guards.grants());
            guards.stored(
                    "endings",
                    items.count(stored + (run.way == Way.NAME_TIMED ? "'released'" : "'completed'")),
                    guards.completions());
            if (run.way != Way.NAME_TIMED) {
                guards.stored(
                        "finished items",
                        items.count("SELECT count(*) FROM resources WHERE state = 'done'") - finished,
                        guards.completions());
            }
        }
        if (arguments.containsKey("acknowledged")) {
            run.writeAcknowledged(Path.of(arguments.get("acknowledged")), rows);
        }
        System.out.println(Figures.write(new Figure(figure.value(), figure.details(), run.guards.violations())));
    }

    private Figure measure(Claims claims, String place) throws InterruptedException, SQLException {
        List<AgentLoop> loops = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger names = new AtomicInteger();
        for (int i = 1; i <= agents; i++) {
            AgentLoop loop = new AgentLoop(claims, "agent-" + i, guards, measuring::get, stopped::get);
            loops.add(loop);
            threads.add(Thread.ofVirtual().name("agent-" + i).start(() -> loop.run(way, names)));
        }
        Thread.sleep(warm);
        measuring.set(true);
        long before = guards.completions();
        ProcessorTime used = ProcessorTime.now(place);
        long start = System.nanoTime();
        Thread.sleep(measured);
        ProcessorTime usedThen = ProcessorTime.now(place);
        boolean ranOut = threads.stream().noneMatch(Thread::isAlive);
        double seconds = (System.nanoTime() - start) / 1e9;
        long units = guards.completions() - before;
        measuring.set(false);
        stopped.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (ranOut) {
            throw new IllegalStateException("all items were done before the time was over; give it more");
        }
        List<Stopwatch> times = loops.stream().map(AgentLoop::times).toList();
        Map<String, Double> details = new LinkedHashMap<>();
        details.put("units", (double) guards.completions());
        details.put("units per second", units / seconds);
        details.put("call p50 us", Stopwatch.percentile(times, 0.5));
        details.put("call p99 us", Stopwatch.percentile(times, 0.99));
        details.putAll(batches.figures());
        usedThen.tellSince(used, units, details);
        boolean timed = way == Way.NAME_TIMED || way == Way.NEXT_TIMED;
        return new Figure(timed ? Stopwatch.percentile(times, 0.5) : units / seconds, details, List.of());
    }

    private void writeAcknowledged(Path file, int rows) throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= rows; i++) {
            if (guards.completedAt(i) > 0) {
                lines.add(i + " " + guards.completedAt(i));
            }
        }
        Files.write(file, lines);
    }
}
