package dev.holdfast.broker.pool.engine;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who a reviewer is and where it sits: everything an engine needs to start one.
 *
 * @param reviewer its id, such as {@code codex-r1-0a1b2c3d}
 * @param displayName what people call it, such as {@code codex-r1}
 * @param project the only project it reviews; null: any
 * @param mcp where it reaches the broker, such as {@code http://127.0.0.1:8321/mcp}
 * @param token what it proves with that it is itself: never part of an argument
 * @param workspace the folder it may read
 * @param model the model, from the allowed ones
 * @param effort how hard the model thinks: low, medium or high
 * @param prompt what it is told, complete
 */
public record Seat(
        String reviewer,
        String displayName,
        @Nullable String project,
        URI mcp,
        String token,
        Path workspace,
        String model,
        String effort,
        String prompt) {

    /** Without the token, which has no business in a log. */
    @Override
    public String toString() {
        return "Seat[" + reviewer + (project == null ? "" : " for " + project) + " in " + workspace + "]";
    }
}
