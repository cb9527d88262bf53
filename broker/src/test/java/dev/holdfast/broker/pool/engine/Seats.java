package dev.holdfast.broker.pool.engine;

import java.net.URI;
import java.nio.file.Path;

/** Seats for tests. */
final class Seats {
    static final String TOKEN = "a-token-that-nobody-may-see";

    private Seats() {}

    static Seat in(Path workspace) {
        return new Seat(
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

    static Seat with(Seat seat, String project, String displayName, String prompt) {
        return new Seat(
                seat.reviewer(),
                displayName,
                project,
                seat.mcp(),
                seat.token(),
                seat.workspace(),
                seat.model(),
                seat.effort(),
                prompt);
    }

    static Seat withModel(Seat seat, String model, String effort) {
        return new Seat(
                seat.reviewer(),
                seat.displayName(),
                seat.project(),
                seat.mcp(),
                seat.token(),
                seat.workspace(),
                model,
                effort,
                seat.prompt());
    }
}
