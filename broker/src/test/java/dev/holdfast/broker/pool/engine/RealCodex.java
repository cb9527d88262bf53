package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The Codex CLI from npm, installed below {@code target} on first use. */
public final class RealCodex {
    private static final String VERSION = "0.166.0";

    private RealCodex() {}

    /** Returns the program. It is a script of Node.js that starts the real one as its child. */
    public static Path installed() throws Exception {
        Path folder =
                Files.createDirectories(Path.of("target", "codex-" + VERSION).toAbsolutePath());
        Path program = folder.resolve("node_modules").resolve(".bin").resolve("codex");
        if (!Files.exists(program)) {
            Process npm = new ProcessBuilder(List.of(
                            "npm",
                            "install",
                            "--no-audit",
                            "--no-fund",
                            "--no-save",
                            "--prefix",
                            folder.toString(),
                            "@openai/codex@" + VERSION))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(npm.waitFor()).as(output).isZero();
        }
        return program;
    }
}
