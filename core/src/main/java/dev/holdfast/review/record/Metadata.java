package dev.holdfast.review.record;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The details of an event besides the change of status; null values included, as the predecessor's clients expect. */
public final class Metadata {
    private Metadata() {}

    /** @param pairs name, value, name, value, … */
    public static Map<String, @Nullable Object> of(@Nullable Object... pairs) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            metadata.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return metadata;
    }
}
