package dev.holdfast.broker.dashboard.part;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The details of an event, in readable form. */
public final class Detail {
    private Detail() {}

    /** @param json null: nothing */
    public static String of(@Nullable String json, int longest) {
        if (json == null) {
            return "";
        }
        Map<String, String> said = new TreeMap<>();
        try {
            put(said, JsonMapper.shared().readTree(json));
        } catch (JacksonException _) {
            return OneLine.of(json, longest);
        }
        String words = said.entrySet().stream()
                .map(one -> one.getKey().replace('_', ' ') + (one.getValue().isEmpty() ? "" : ": " + one.getValue()))
                .collect(Collectors.joining(", "));
        return OneLine.of(words, longest);
    }

    /** Nested objects are shown like the rest: people need not know how they are stored. */
    private static void put(Map<String, String> said, JsonNode object) {
        for (Map.Entry<String, JsonNode> one : object.properties()) {
            if (one.getValue().isObject()) {
                put(said, one.getValue());
            } else if (!isNothing(one.getValue())) {
                said.put(one.getKey(), one.getValue().isBoolean() ? "" : words(one.getValue()));
            }
        }
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || (value.isArray() && value.isEmpty()) || (value.isBoolean() && !value.asBoolean());
    }

    private static String words(JsonNode value) {
        if (value.isArray()) {
            return value.valueStream().map(one -> VisibleText.line(words(one))).collect(Collectors.joining(" and "));
        }
        return value.isString() ? PlainWord.of(value.asString()) : value.toString();
    }
}
