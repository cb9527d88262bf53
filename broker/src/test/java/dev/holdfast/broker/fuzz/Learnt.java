package dev.holdfast.broker.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What answers have told, by the name of its field: ids, generations, cursors, which make the next calls go further. */
final class Learnt {
    private static final int MAX = 24;
    private static final int LONGEST = 2_000;

    private final Map<String, List<Object>> values = new HashMap<>();
    private final List<String> texts = new ArrayList<>(List.of("key:a", "ann", "bob", "shop"));
    private int next;

    void from(JsonNode answer) {
        if (answer.isArray()) {
            answer.forEach(this::from);
        }
        for (Map.Entry<String, JsonNode> field : answer.properties()) {
            JsonNode value = field.getValue();
            if (value.isString() && value.stringValue().length() <= LONGEST) {
                keep(field.getKey(), value.stringValue());
            } else if (value.isIntegralNumber() && value.canConvertToLong()) {
                keep(field.getKey(), value.longValue());
            } else {
                from(value);
            }
        }
    }

    private void keep(String name, Object value) {
        put(values.computeIfAbsent(name, _ -> new ArrayList<>()), value);
        if (value instanceof String text && text.length() <= 100) {
            put(texts, text);
        }
    }

    private <T> void put(List<T> kept, T value) {
        if (kept.size() < MAX) {
            kept.add(value);
        } else {
            kept.set(Math.floorMod(next++, MAX), value);
        }
    }

    /** One that came under this name; null: none did. */
    @Nullable
    Object value(String name, Random random) {
        List<Object> known = values.get(name);
        return known == null ? null : known.get(random.nextInt(known.size()));
    }

    String any(Random random) {
        return texts.get(random.nextInt(texts.size()));
    }
}
