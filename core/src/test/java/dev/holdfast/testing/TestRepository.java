package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real git repository in a folder of the test, isolated from the machine's git configuration. */
public final class TestRepository {
    private final Path folder;

    private TestRepository(Path folder) {
        this.folder = folder;
    }

    public static TestRepository in(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        TestRepository repository = new TestRepository(folder);
        repository.git("init", "-q", "-b", "main");
        return repository;
    }

    public Path folder() {
        return folder;
    }

    public Path write(String path, String content) {
        return write(path, content.getBytes(StandardCharsets.UTF_8));
    }

    public Path write(String path, byte[] content) {
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            return Files.write(file, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public void commitAll(String message) {
        git("add", "-A");
        git("commit", "-q", "-m", message);
    }

    /** Runs git and returns its output; exit code 1 is how {@code git diff --no-index} says "different". */
    public String git(String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        // or every commit starts two more programs that find nothing to do
        builder.environment()
                .putAll(Map.of(
                        "GIT_CONFIG_COUNT",
                        "1",
                        "GIT_CONFIG_KEY_0",
                        "maintenance.auto",
                        "GIT_CONFIG_VALUE_0",
                        "false"));
        for (String who : List.of("AUTHOR", "COMMITTER")) {
            builder.environment().put("GIT_" + who + "_NAME", "A Tester");
            builder.environment().put("GIT_" + who + "_EMAIL", "tester@example.com");
            builder.environment().put("GIT_" + who + "_DATE", "2026-01-01T00:00:00Z");
        }
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() > 1) {
                throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + printed);
            }
            return printed;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
