package dev.holdfast.cli.imports.predecessor;

import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.NotJsonException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row of the file. Missing columns are null. SQLite does not enforce types, so none are assumed. */
record SourceRow(Map<String, @Nullable Object> columns) {
    @Nullable
    String text(String column) {
        Object value = columns.get(column);
        return value == null || value instanceof byte[] ? null : value.toString();
    }

    /** Blank counts as null. */
    @Nullable
    String word(String column) {
        String text = text(column);
        return text == null || text.isBlank() ? null : text.strip();
    }

    long number(String column, long otherwise) {
        return columns.get(column) instanceof Number number ? number.longValue() : otherwise;
    }

    /** ISO 8601, or SQLite's own format, which is UTC; null when it is neither. */
    @Nullable
    Instant time(String column) {
        String text = word(column);
        if (text == null) {
            return null;
        }
        String iso = text.replace(' ', 'T');
        try {
            return iso.matches(".*(Z|[+-]\\d\\d:\\d\\d)$")
                    ? OffsetDateTime.parse(iso).toInstant()
                    : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** The members of the column's JSON object; empty when it is not one. */
    Map<?, ?> members(String column) {
        String text = text(column);
        try {
            return text != null && Json.read(text) instanceof Map<?, ?> members ? members : Map.of();
        } catch (NotJsonException e) {
            return Map.of();
        }
    }

    /** The column as a JSON object: unchanged if it is one, otherwise under the name "text". */
    @Nullable
    String object(String column) {
        String text = text(column);
        if (text == null) {
            return null;
        }
        Map<?, ?> members = members(column);
        return members.isEmpty() && !text.strip().equals("{}") ? Json.write(Map.of("text", text)) : Json.write(members);
    }
}
