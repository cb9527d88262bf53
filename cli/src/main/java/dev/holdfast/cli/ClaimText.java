package dev.holdfast.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Claims in one line, for people. */
final class ClaimText {
    private ClaimText() {}

    static String of(JsonObject claim) {
        String expiresAt = text(claim, "expires_at");
        return text(claim, "resource") + ", generation " + claim.number("claim_generation") + ", until " + expiresAt;
    }

    static String text(JsonObject object, String field) {
        String text = object.text(field);
        return text == null ? "?" : Printable.of(text);
    }

    /** The time from one moment to another; a dash when the broker did not tell either. */
    static String span(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "-" : Span.show(Duration.between(from, to));
    }

    static @Nullable Instant instant(JsonObject object, String field) {
        String text = object.text(field);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
