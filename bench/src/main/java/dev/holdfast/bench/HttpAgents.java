package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * P9: calls over HTTP that claim and release, compared with calls to the same server that do nothing; and
 * {@link McpAgents}.
 */
final class HttpAgents {
    private static final int CONNECTIONS = 128;
    /** A server's JVM needs about as many calls until everything they use is compiled. */
    private static final long WARM_AFTER = 500_000;

    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);
    private static final String OURS = "holdfast, claim then release over HTTP, calls";
    private static final String NOTHING = "the same server, POST to an address that it does not have";

    static final List<Goal> GOALS = List.of(Goal.atLeast(0.3, OURS, NOTHING), McpAgents.GOAL);

    private HttpAgents() {}

    /** Calls until this time; returns how often, and fails on an unexpected answer. */
    interface Caller {
        long call(HttpConnection connection, int number, long until) throws Exception;
    }

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(OURS, "calls/s", () -> run(lab, HttpAgents::claimAndRelease)),
                new Entry(NOTHING, "calls/s", () -> run(lab, HttpAgents::nothing)),
                new Entry(McpAgents.OURS, "calls/s", () -> run(lab, McpAgents::claimAndRelease)),
                new Entry(McpAgents.BARE, "calls/s", () -> McpAgents.bare(lab)));
    }

    private static long claimAndRelease(HttpConnection connection, int number, long until) throws Exception {
        String held = "{\"resource\": \"key:" + number + "\", \"holder\": \"agent-" + number + "\"";
        long calls = 0;
        while (System.nanoTime() < until) {
            String granted = expect(200, connection.post("/api/v1/claim", held + "}"));
            expect(
                    200,
                    connection.post("/api/v1/release", held + ", \"claim_generation\": " + generation(granted) + "}"));
            calls += 2;
        }
        return calls;
    }

    private static long nothing(HttpConnection connection, int number, long until) throws Exception {
        String body = "{\"resource\": \"key:" + number + "\", \"holder\": \"agent-" + number + "\"}";
        long calls = 0;
        while (System.nanoTime() < until) {
            expect(404, connection.post("/api/v1/nothing", body));
            calls++;
        }
        return calls;
    }

    static String expect(int status, HttpConnection.Answer answer) {
        if (answer.status() != status) {
            throw new IllegalStateException("answered " + answer.status() + " " + answer.body());
        }
        return answer.body();
    }

    static long generation(String answer) {
        String name = "\"claim_generation\":";
        int at = answer.indexOf(name) + name.length();
        int end = at;
        while (Character.isDigit(answer.charAt(end))) {
            end++;
        }
        if (end == at) {
            throw new IllegalStateException("no grant: " + answer);
        }
        return Long.parseLong(answer, at, end, 10);
    }

    private static Outcome run(Lab lab, Caller caller) throws Exception {
        if (RunningBroker.launcher().isEmpty()) {
            return new NotAvailable("needs the launcher");
        }
        Path folder = lab.folder();
        String database = lab.server().newDatabase();
        try (RunningBroker broker = RunningBroker.start(List.of("--data", folder.toString(), "--database", database))) {
            return rate(lab, broker.url(), caller);
        } finally {
            lab.server().drop(database);
            Lab.delete(folder);
        }
    }

    /** Calls per second over all connections of a warm server. */
    static Figure rate(Lab lab, String url, Caller caller) throws Exception {
        long giveUp = System.nanoTime() + LONGEST_WARM_UP.toNanos();
        long warm = 0;
        while (warm < WARM_AFTER && System.nanoTime() < giveUp && !lab.warmUp().isZero()) {
            warm += calls(url, caller, lab.warmUp().toNanos());
        }
        long calls = calls(url, caller, lab.measured().toNanos());
        return new Figure(calls / (double) lab.measured().toSeconds(), Map.of("calls", (double) calls), List.of());
    }

    private static long calls(String url, Caller caller, long nanos) throws Exception {
        long until = System.nanoTime() + nanos;
        List<Future<Long>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int number = i;
                Callable<Long> one = () -> {
                    try (HttpConnection connection = new HttpConnection(url)) {
                        return caller.call(connection, number, until);
                    }
                };
                running.add(threads.submit(one));
            }
        }
        long calls = 0;
        for (Future<Long> one : running) {
            calls += one.get();
        }
        return calls;
    }
}
