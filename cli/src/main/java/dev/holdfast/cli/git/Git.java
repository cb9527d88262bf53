package dev.holdfast.cli.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the git of the machine in one folder, without a shell. Index and repository are those that git itself names in the
 * environment of a hook; whatever else there could change a diff is taken out.
 */
final class Git {
    /** More than any broker takes for review. */
    private static final int MOST_OUTPUT = 64 << 20;

    private static final List<String> TAME = List.of(
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.quotePath=true",
            "-c",
            "core.attributesFile=/dev/null",
            "-c",
            "core.looseCompression=1", // of binary patches
            "-c",
            "core.bigFileThreshold=512m",
            "-c",
            "diff.suppressBlankEmpty=false",
            "-c",
            "merge.conflictStyle=merge",
            "-c",
            "merge.renames=true",
            "-c",
            "merge.directoryRenames=conflict",
            "-c",
            "merge.renameLimit=7000",
            "-c",
            "merge.renormalize=false");

    private final Path folder;
    private final Map<String, String> environment;

    /** How a run ended. */
    record Ran(int exitCode, byte[] output, String errors) {
        /** The output without its last newline. */
        String text() {
            String text = new String(output, StandardCharsets.UTF_8);
            return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        }

        List<String> lines() {
            return text().lines().toList();
        }
    }

    Git(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = new HashMap<>(environment);
        this.environment.keySet().removeAll(List.of("GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF"));
        this.environment.put("GIT_ATTR_NOSYSTEM", "1");
        this.environment.put("GIT_NO_REPLACE_OBJECTS", "1"); // a push sends the real ones
        this.environment.put("GIT_OPTIONAL_LOCKS", "0");
        this.environment.put("GIT_TERMINAL_PROMPT", "0");
        this.environment.put("LC_ALL", "C");
    }

    /** What git answers; it must succeed. */
    Ran ask(List<String> arguments) {
        Ran ran = run(arguments);
        if (ran.exitCode != 0) {
            throw new GitFailure("git " + arguments.getFirst() + " failed: "
                    + (ran.errors.isBlank() ? "exit code " + ran.exitCode : ran.errors.strip()));
        }
        return ran;
    }

    /** The first line of what git answers, if it succeeds. */
    Optional<String> find(String... arguments) {
        Ran ran = run(List.of(arguments));
        return ran.exitCode == 0 && ran.output.length > 0 ? Optional.of(ran.text()) : Optional.empty();
    }

    Ran run(List<String> arguments) {
        List<String> command = new ArrayList<>(TAME);
        command.addFirst("git");
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try {
                return run(process, arguments);
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new GitFailure("git could not be run (" + e.getMessage() + "); is it installed?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GitFailure("interrupted", e);
        }
    }

    private static Ran run(Process process, List<String> arguments) throws IOException, InterruptedException {
        process.getOutputStream().close();
        StringBuilder errors = new StringBuilder();
        Thread reader = new Thread(() -> errors.append(readErrors(process.getErrorStream())));
        reader.start();
        byte[] output = process.getInputStream().readNBytes(MOST_OUTPUT + 1);
        if (output.length > MOST_OUTPUT) {
            throw new GitFailure("git " + arguments.getFirst() + " has more than " + (MOST_OUTPUT >> 20)
                    + " MB to tell: no reviewer reads that. Make several smaller commits, each reviewed by itself.");
        }
        int exitCode = process.waitFor();
        reader.join();
        return new Ran(exitCode, output, errors.toString());
    }

    private static String readErrors(InputStream stream) {
        try (stream) {
            String text = new String(stream.readNBytes(1 << 16), StandardCharsets.UTF_8);
            stream.skip(Long.MAX_VALUE);
            return text;
        } catch (IOException closed) {
            return "";
        }
    }
}
