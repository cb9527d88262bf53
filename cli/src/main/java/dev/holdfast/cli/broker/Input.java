package dev.holdfast.cli.broker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the arguments of a verb; missing ones are left out, so that the broker's defaults apply. */
public final class Input {
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    public Input with(String field, @Nullable Object value) {
        if (value != null) {
            fields.put(field, value);
        }
        return this;
    }

    public Input withSeconds(String field, @Nullable Duration value) {
        return with(field, value == null ? null : value.toSeconds());
    }

    public Map<String, @Nullable Object> fields() {
        return fields;
    }
}
