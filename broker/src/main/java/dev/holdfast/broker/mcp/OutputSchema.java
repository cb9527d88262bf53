package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tool answers: its result or a refusal, which is an ordinary answer too. Only the names of its fields are given and
 * what they are, not what is inside of them: every model reads the list of tools in every session, and then sees the
 * answers. OpenAPI has it all.
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
            return Map.of(); // anything at all
        }
        return Map.of("type", field.presence() == Property.Presence.NULLABLE ? List.of(type, "null") : type);
    }
}
