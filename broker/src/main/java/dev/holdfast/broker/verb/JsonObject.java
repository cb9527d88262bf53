package dev.holdfast.broker.verb;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates JSON objects with a fixed order of members. {@link Map#of} would order them differently at every start of the
 * broker.
 */
public final class JsonObject {
    private JsonObject() {}

    /** An object whose members keep this order: key, value, key, value, … */
    public static Map<String, @Nullable Object> of(@Nullable Object... keysAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }
}
