package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Belongs to P10: whoever did the last step of a task claims its finalization, over HTTP, while all others are working.
 */
final class Finalizers {
    private static final int PROCESSORS = 32;
    private static final String P95_POSTGRES = "claim_finalization p95, PostgreSQL";
    private static final String P95_SQLITE = "claim_finalization p95, SQLite";
    private static final String FIRST_POSTGRES = "first attempts that succeed, PostgreSQL";
    private static final String FIRST_SQLITE = "first attempts that succeed, SQLite";

    static final List<Goal> GOALS = List.of(
            Goal.atMost(100_000, P95_POSTGRES, null),
            new Goal(FIRST_POSTGRES, null, Goal.Sense.AT_LEAST, 95),
            Goal.atMost(100_000, P95_SQLITE, null),
            new Goal(FIRST_SQLITE, null, Goal.Sense.AT_LEAST, 95));

    private Finalizers() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(P95_POSTGRES, "us", () -> onPostgres(lab, Seen::p95)),
                new Entry(FIRST_POSTGRES, "%", () -> onPostgres(lab, Seen::firstAttempts)),
                new Entry(P95_SQLITE, "us", () -> onSqlite(lab, Seen::p95)),
                new Entry(FIRST_SQLITE, "%", () -> onSqlite(lab, Seen::firstAttempts)));
    }

    /** What all processors saw together. */
    private record Seen(List<Stopwatch> claims, long first, long tried, long ended, long steps) {
        double p95() {
            return Stopwatch.percentile(claims, 0.95);
        }

        double firstAttempts() {
            return 100.0 * first / Math.max(1, tried);
        }
    }

    private interface Reading {
        double of(Seen seen);
    }

    private static Outcome onPostgres(Lab lab, Reading reading) throws Exception {
        String url = lab.server().newDatabase();
        try {
            return run(lab, List.of("--database", url), reading);
        } finally {
            lab.server().drop(url);
        }
    }

    private static Outcome onSqlite(Lab lab, Reading reading) throws Exception {
        return run(lab, List.of(), reading);
    }

    private static Outcome run(Lab lab, List<String> store, Reading reading) throws Exception {
        if (RunningBroker.launcher().isEmpty()) {
            return new NotAvailable("needs the launcher");
        }
        Path folder = lab.folder();
        List<String> arguments = new ArrayList<>(List.of("--data", folder.toString()));
        arguments.addAll(store);
        try (RunningBroker broker = RunningBroker.start(arguments)) {
            work(broker.url(), lab.warmUp().toNanos());
            Seen seen = work(broker.url(), lab.measured().toNanos());
            List<String> violations = seen.ended == seen.first
                    ? List.of()
                    : List.of(seen.first + " claims were given, and " + seen.ended + " tasks ended");
            return new Figure(
                    reading.of(seen),
                    Map.of("tasks ended", (double) seen.ended, "steps", (double) seen.steps, "p95 us", seen.p95()),
                    violations);
        } finally {
            Lab.delete(folder);
        }
    }

    private static Seen work(String url, long nanos) throws Exception {
        List<HttpProcessor> processors = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(PROCESSORS)) {
            long end = System.nanoTime() + nanos;
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < PROCESSORS; i++) {
                HttpProcessor processor = new HttpProcessor(url, "processor-" + i + "-" + end);
                processors.add(processor);
                running.add(threads.submit(() -> processor.workUntil(end)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        return new Seen(
                processors.stream().map(HttpProcessor::claims).toList(),
                processors.stream().mapToLong(HttpProcessor::first).sum(),
                processors.stream().mapToLong(HttpProcessor::tried).sum(),
                processors.stream().mapToLong(HttpProcessor::ended).sum(),
                processors.stream().mapToLong(HttpProcessor::steps).sum());
    }
}
