package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a tool's answer: its result or a refusal, which is an ordinary answer too. It lists only the fields and
 * their types, not their contents: every model reads the tool list in every session, and sees the answers later.
 * OpenAPI has the full schemas.
 */
final class OutputSchema {
    private OutputSchema() {}

    static Map<String, @Nullable Object> of(List<Property> result) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        result.forEach(field -> properties.put(field.name(), shape(field)));
        properties.putIfAbsent("error", Map.of("type", "string"));
        properties.putIfAbsent("code", Map.of("type", "string"));
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        return schema;
    }

    private static Map<String, @Nullable Object> shape(Property field) {
        String type = switch (field.type()) {
            case TEXT, TIME -> "string";
            case INTEGER -> "integer";
            case NUMBER -> "number";
            case BOOLEAN -> "boolean";
            case OBJECT, ANYTHING -> "object";
            case TEXTS, OBJECTS -> "array";
            case VALUE -> "";
        };
        if (type.isEmpty()) {
            return Map.of(); // no constraint
        }
        return Map.of("type", field.presence() == Property.Presence.NULLABLE ? List.of(type, "null") : type);
    }
}
