package dev.holdfast.broker.mcp;

import dev.holdfast.broker.verb.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a tool answers: its result or a refusal, which is an ordinary answer too. Only the shape is told, without the
 * descriptions that OpenAPI has: every model reads the list of tools in every session.
 */
final class OutputSchema {
    private OutputSchema() {}

    static Map<String, @Nullable Object> of(List<Field> result) {
        Map<String, @Nullable Object> properties = properties(result);
        properties.putIfAbsent("error", Map.of("type", "string", "description", "refused: why, and what to do"));
        properties.putIfAbsent("code", Map.of("type", "string"));
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        List<String> required =
                result.stream().filter(Field::required).map(Field::name).toList();
        if (!required.isEmpty()) {
            schema.put("anyOf", List.of(Map.of("required", required), Map.of("required", List.of("error", "code"))));
        }
        return schema;
    }

    private static Map<String, @Nullable Object> shape(Field field) {
        Map<String, @Nullable Object> shape = new LinkedHashMap<>();
        switch (field.type()) {
            case TEXT, TIME -> {
                shape.put("type", "string");
                if (!field.words().isEmpty()) {
                    shape.put("enum", field.words());
                }
            }
            case INTEGER -> shape.put("type", "integer");
            case NUMBER -> shape.put("type", "number");
            case BOOLEAN -> shape.put("type", "boolean");
            case OBJECT -> shape.putAll(object(field.fields()));
            case ANYTHING -> shape.put("type", "object");
            case VALUE -> {
                return shape; // anything at all
            }
            case TEXTS -> {
                shape.put("type", "array");
                shape.put("items", Map.of("type", "string"));
            }
            case OBJECTS -> {
                shape.put("type", "array");
                shape.put("items", object(field.fields()));
            }
        }
        if (field.presence() == Field.Presence.NULLABLE) {
            shape.put("type", List.of(String.valueOf(shape.get("type")), "null"));
        }
        return shape;
    }

    private static Map<String, @Nullable Object> object(List<Field> fields) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("type", "object");
        object.put("properties", properties(fields));
        return object;
    }

    private static Map<String, @Nullable Object> properties(List<Field> fields) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        fields.forEach(field -> properties.put(field.name(), shape(field)));
        return properties;
    }
}
