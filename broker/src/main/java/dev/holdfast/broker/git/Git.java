package dev.holdfast.broker.git;

import dev.holdfast.broker.process.SearchPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs the git of the machine, without a shell, for a limited time.
 *
 * <p>Input and output go through files, not pipes: there is nothing to feed or drain, so neither a large diff nor a
 * grandchild that keeps a pipe open can hold anybody up.
 */
final class Git {
    private static final int MOST_OUTPUT = 64 * 1024;

    /**
     * What a repository's configuration could run or change. Filters that .gitattributes names stay: without them a file
     * in the work tree is not what the repository means by it.
     */
    private static final List<String> TAME = List.of(
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "apply.whitespace=nowarn",
            "-c",
            "apply.ignoreWhitespace=no",
            "-c",
            "protocol.allow=never");

    private final Map<String, String> environment;

    /** Takes the environment that git gets; git itself is looked for in its PATH. */
    Git(Map<String, String> environment) {
        this.environment = new HashMap<>(environment);
        // Set by whoever called us from inside git: they would point git at another repository, index or configuration.
        this.environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        this.environment.put("GIT_TERMINAL_PROMPT", "0");
        this.environment.put("GIT_OPTIONAL_LOCKS", "0");
        this.environment.put("LC_ALL", "C");
    }

    /** How a run ended. */
    sealed interface Ran {
        record Ended(int exitCode, String output, String errors) implements Ran {}

        record TimedOut() implements Ran {}

        record NotStarted(String reason) implements Ran {}
    }

    /**
     * Runs git in a folder.
     *
     * @param deadline in terms of {@link System#nanoTime}; past it, git and all it started are killed
     */
    Ran run(Path folder, List<String> arguments, String input, long deadline) throws InterruptedException {
        Optional<Path> git = executable();
        if (git.isEmpty()) {
            return new Ran.NotStarted("git was not found in the PATH; install it, or start the broker where it is");
        }
        List<String> command = new ArrayList<>();
        command.add(git.get().toString());
        command.addAll(TAME);
        command.addAll(arguments);
        try (Exchange exchange = new Exchange(input)) {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            builder.redirectInput(exchange.input.toFile());
            builder.redirectOutput(exchange.output.toFile());
            builder.redirectError(exchange.errors.toFile());
            Process process = builder.start();
            try {
                if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return new Ran.TimedOut();
                }
                return new Ran.Ended(process.exitValue(), read(exchange.output), read(exchange.errors));
            } finally {
                if (process.isAlive()) {
                    killTree(process);
                }
            }
        } catch (IOException failure) {
            return new Ran.NotStarted("git could not be run: " + failure.getMessage());
        }
    }

    private Optional<Path> executable() {
        return new SearchPath(environment.getOrDefault("PATH", "")).find("git", "git.exe");
    }

    /** Parents first, each after its children are known: a dead parent can neither name them nor start more. */
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
            return new String(in.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8);
        }
    }

    /** The files of one run; only the user who runs the broker can read them. */
    private static final class Exchange implements AutoCloseable {
        private final Path folder;
        private final Path input;
        private final Path output;
        private final Path errors;

        Exchange(String text) throws IOException {
            folder = Files.createTempDirectory("holdfast-git");
            input = folder.resolve("in");
            output = folder.resolve("out");
            errors = folder.resolve("err");
            try {
                Files.writeString(input, text);
            } catch (IOException full) {
                close();
                throw full;
            }
        }

        @Override
        public void close() throws IOException {
            for (Path path : List.of(input, output, errors, folder)) {
                Files.deleteIfExists(path);
            }
        }
    }
}
