package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** P12, second half: how long a command takes, by the launcher and with the cache that is shipped. */
final class CommandCalls {
    /** The commands that agents and hooks run again and again, and those that people run. */
    private static final List<String> FREQUENT = List.of("claim", "heartbeat", "release", "who");

    private static final List<String> OTHERS = List.of("status", "work list", "review list");

    static final List<Goal> GOALS = Stream.concat(
                    FREQUENT.stream().map(command -> Goal.atMost(60, name(command), null)),
                    OTHERS.stream().map(command -> Goal.atMost(150, name(command), null)))
            .toList();

    private CommandCalls() {}

    static List<Entry> entries(Lab lab) {
        return Stream.concat(FREQUENT.stream(), OTHERS.stream())
                .map(command -> new Entry(name(command), "ms", () -> median(lab, command)))
                .toList();
    }

    private static String name(String command) {
        return "command: " + command;
    }

    private static Outcome median(Lab lab, String command) throws Exception {
        String launcher = RunningBroker.launcher().orElse(null);
        if (launcher == null) {
            return new NotAvailable("needs the launcher");
        }
        Path folder = lab.folder();
        try (RunningBroker broker =
                RunningBroker.start(List.of("--data", folder.resolve("data").toString()))) {
            calls(launcher, broker, folder, command, lab.warmUp().toNanos());
            Stopwatch times =
                    calls(launcher, broker, folder, command, lab.measured().toNanos());
            return Figure.of(Stopwatch.percentile(List.of(times), 0.5) / 1_000);
        } finally {
            Lab.delete(folder);
        }
    }

    private static Stopwatch calls(String launcher, RunningBroker broker, Path folder, String command, long nanos)
            throws Exception {
        Stopwatch times = new Stopwatch();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            List<String> words = new ArrayList<>(List.of(command.split(" ")));
            if (List.of("claim", "heartbeat", "release").contains(command)) {
                words.add("key:" + System.nanoTime());
            }
            if (List.of("heartbeat", "release").contains(command)) {
                run(launcher, broker, folder, List.of("claim", words.getLast()));
            }
            long start = System.nanoTime();
            run(launcher, broker, folder, words);
            times.took(System.nanoTime() - start);
        }
        return times;
    }

    private static void run(String launcher, RunningBroker broker, Path folder, List<String> words) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("HOLDFAST_URL", broker.url());
        builder.environment().put("HOLDFAST_AGENT", "bench");
        Process process = builder.start();
        process.getOutputStream().close();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
    }
}
