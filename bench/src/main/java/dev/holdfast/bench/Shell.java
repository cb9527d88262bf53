package dev.holdfast.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs programs of this machine. */
final class Shell {
    private Shell() {}

    /** A program's output without its line break; empty when there is no such program, or it fails. */
    static Optional<String> answer(String... command) {
        try {
            return Optional.of(run(List.of(command)).strip());
        } catch (IOException | IllegalStateException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static String run(List<String> command) throws IOException, InterruptedException {
        return run(command, Path.of("/"), Map.of());
    }

    /** A program's output. If it fails, the exception contains its stderr. */
    static String run(List<String> command, Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("holdfast-bench-", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().putAll(environment);
            Process process = builder.redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            Thread onExit = new Thread(process::destroy);
            Runtime.getRuntime().addShutdownHook(onExit);
            try {
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                int code = process.waitFor();
                if (code != 0) {
                    throw new IllegalStateException(String.join(" ", command) + " ended with " + code + ": " + output
                            + Files.readString(errors));
                }
                return output;
            } finally {
                forget(onExit);
            }
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private static void forget(Thread onExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException _) {
            // the whole program is stopping
        }
    }
}
