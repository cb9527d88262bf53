package dev.holdfast.broker.dashboard.part;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an event tells beside its type, as people read it. */
public final class Detail {
    private Detail() {}

    /** @param json null: nothing */
    public static String of(@Nullable String json, int longest) {
        if (json == null) {
            return "";
        }
        Map<String, String> said = new TreeMap<>();
        try {
            for (Map.Entry<String, JsonNode> one :
                    JsonMapper.shared().readTree(json).properties()) {
                said.put(
                        one.getKey(),
                        one.getValue().isString()
                                ? one.getValue().asString()
                                : one.getValue().toString());
            }
        } catch (JacksonException _) {
            return Brief.of(json, longest);
        }
        String words = said.entrySet().stream()
                .map(one -> one.getKey().replace('_', ' ') + " " + one.getValue())
                .collect(Collectors.joining(", "));
        return Brief.of(words, longest);
    }
}
