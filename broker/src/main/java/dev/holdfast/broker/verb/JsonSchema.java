package dev.holdfast.broker.verb;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts properties to JSON Schema (2020-12), for OpenAPI and for tool lists. */
public final class JsonSchema {
    private static final List<String> ANY =
            List.of("object", "array", "string", "number", "integer", "boolean", "null");

    private JsonSchema() {}

    /** An object with exactly these fields. */
    public static Map<String, @Nullable Object> of(List<Property> fields) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        fields.forEach(field -> properties.put(field.name(), of(field)));
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        List<String> required =
                fields.stream().filter(Property::required).map(Property::name).toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, @Nullable Object> of(Property field) {
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        switch (field.type()) {
            case TEXT -> text(schema, field);
            case TIME -> {
                schema.put("type", "string");
                schema.put("format", "date-time");
            }
            case INTEGER -> {
                schema.put("type", "integer");
                putIfGiven(schema, "minimum", field.min());
                putIfGiven(schema, "maximum", field.max());
            }
            case NUMBER -> schema.put("type", "number");
            case BOOLEAN -> schema.put("type", "boolean");
            case OBJECT -> schema.putAll(of(field.fields()));
            case ANYTHING -> schema.put("type", "object");
            case VALUE -> schema.put("type", ANY);
            case TEXTS -> {
                Map<String, @Nullable Object> each = new LinkedHashMap<>();
                text(each, field);
                schema.put("type", "array");
                schema.put("items", each);
                schema.put("maxItems", field.maxTexts());
            }
            case OBJECTS -> {
                schema.put("type", "array");
                schema.put("items", of(field.fields()));
                putIfGiven(schema, "maxItems", field.max());
            }
        }
        if (field.presence() == Property.Presence.NULLABLE && field.type() != Property.Type.VALUE) {
            schema.put("type", List.of(String.valueOf(schema.get("type")), "null"));
        }
        schema.put("description", field.description());
        if (field.example() != null) {
            schema.put("examples", List.of(field.example()));
        }
        return schema;
    }

    private static void text(Map<String, @Nullable Object> schema, Property field) {
        schema.put("type", "string");
        putIfGiven(schema, "minLength", field.min());
        putIfGiven(schema, "maxLength", field.longest());
        if (!field.words().isEmpty()) {
            schema.put("enum", field.words());
        }
    }

    private static void putIfGiven(Map<String, @Nullable Object> schema, String key, @Nullable Object value) {
        if (value != null) {
            schema.put(key, value);
        }
    }
}
