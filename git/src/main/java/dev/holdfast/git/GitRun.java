package dev.holdfast.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One run of git. Input and output go through files, not pipes: there is nothing to feed or drain, so neither a large
 * diff nor a grandchild that keeps a pipe open can block anything. Output or memory beyond its limit ends the run.
 */
record GitRun(List<String> command, Path folder, Map<String, String> environment) {
    private static final int MAX_ERRORS = 64 * 1024;
    /** How often the size of the output and the memory are checked. */
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);

    /** Of {@code /proc/PID/status}: without the files that it has mapped, such as a repository's packs. */
    private static final String ALLOCATED = "RssAnon:";

    /** How long a killed process may take to disappear. */
    private static final long LAST_MOMENT_MILLIS = 500;

    GitResult within(Limits limits) {
        try (TemporaryFolder exchange = new TemporaryFolder()) {
            return within(limits, exchange);
        } catch (IOException e) {
            throw new GitFailure(GitFailure.Kind.NO_GIT, "git could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GitFailure("git was interrupted", e);
        }
    }

    private GitResult within(Limits limits, TemporaryFolder exchange) throws IOException, InterruptedException {
        Path input = Files.write(exchange.resolve("in"), limits.input());
        Path output = exchange.resolve("out");
        Path errors = exchange.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectInput(input.toFile()).redirectOutput(output.toFile()).redirectError(errors.toFile());
        long began = System.nanoTime();
        long patience = limits.patience().left();
        Process process = builder.start();
        try {
            while (true) {
                long left = patience - (System.nanoTime() - began);
                boolean ended = process.waitFor(Math.min(left, LOOK), TimeUnit.NANOSECONDS);
                if (Files.size(output) > limits.max() || Files.size(errors) > Limits.MAX_OUTPUT) {
                    throw new GitFailure(GitFailure.Kind.TOO_MUCH, "git printed more than " + limits.max() + " bytes");
                }
                if (!ended && limits.memory() < Long.MAX_VALUE && memory(process) > limits.memory()) {
                    throw new GitFailure(
                            GitFailure.Kind.TOO_MUCH,
                            "git needed more than " + (limits.memory() >> 20) + " MB of memory and was killed");
                }
                if (ended) {
                    return new GitResult(process.exitValue(), Files.readAllBytes(output), read(errors));
                }
                if (left <= 0) {
                    throw new GitFailure(
                            GitFailure.Kind.TIMED_OUT,
                            "git did not answer within " + seconds(patience) + " s and was killed");
                }
            }
        } finally {
            if (process.isAlive()) {
                killTree(process);
                // a process blocked in the kernel dies when it wakes up
                boolean _ = process.waitFor(LAST_MOMENT_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** What a process has allocated, in bytes; 0 where the system does not tell. */
    private static long memory(Process process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith(ALLOCATED))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException _) {
            return 0; // it has just ended, or there is no /proc
        }
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos + TimeUnit.SECONDS.toNanos(1) - 1);
    }

    /** Parents first, each after its children have been listed: a dead parent can neither name them nor start more. */
    private static void killTree(Process process) {
        Deque<ProcessHandle> next = new ArrayDeque<>(List.of(process.toHandle()));
        while (!next.isEmpty()) {
            ProcessHandle handle = next.pop();
            List<ProcessHandle> children = handle.children().toList();
            handle.destroyForcibly();
            next.addAll(children);
        }
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_ERRORS), StandardCharsets.UTF_8);
        }
    }
}
