package dev.holdfast.broker.pool.engine;

import java.net.URI;
import java.nio.file.Path;

/** Seats for tests. */
final class LaunchSpecs {
    static final String TOKEN = "a-token-that-nobody-may-see";

    private LaunchSpecs() {}

    static LaunchSpec in(Path workspace) {
        return new LaunchSpec(
                "codex-r1-0a1b2c3d",
                "codex-r1",
                null,
                URI.create("http://127.0.0.1:8321/mcp"),
                TOKEN,
                workspace,
                "gpt-5.3-codex",
                "high",
                "Review what there is.");
    }

    static LaunchSpec with(LaunchSpec spec, String project, String displayName, String prompt) {
        return new LaunchSpec(
                spec.reviewer(),
                displayName,
                project,
                spec.mcp(),
                spec.token(),
                spec.workspace(),
                spec.model(),
                spec.effort(),
                prompt);
    }

    static LaunchSpec withModel(LaunchSpec spec, String model, String effort) {
        return new LaunchSpec(
                spec.reviewer(),
                spec.displayName(),
                spec.project(),
                spec.mcp(),
                spec.token(),
                spec.workspace(),
                model,
                effort,
                spec.prompt());
    }
}
