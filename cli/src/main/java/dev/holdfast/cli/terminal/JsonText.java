package dev.holdfast.cli.terminal;

import dev.holdfast.cli.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Fields of the broker's answers, made safe to print. */
public final class JsonText {
    private JsonText() {}

    public static String text(JsonObject object, String field) {
        String text = object.text(field);
        return text == null ? "?" : Printable.of(text);
    }

    /** The time from one moment to another; a dash when the broker did not tell either. */
    public static String span(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "-" : Span.show(Duration.between(from, to));
    }

    public static @Nullable Instant instant(JsonObject object, String field) {
        String text = object.text(field);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    public static String ago(JsonObject object, String field, Instant now) {
        Instant at = instant(object, field);
        return at == null ? "-" : span(at, now) + " ago";
    }

    public static String orDash(JsonObject object, String field) {
        String text = object.text(field);
        return text == null || text.isEmpty() ? "-" : Printable.of(text);
    }
}
