package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Holds answers against the schema that OpenAPI gives for them: as much of JSON Schema as our schemas use. */
public final class ResultSchema {
    private ResultSchema() {}

    public static void check(JsonNode schema, JsonNode value, String at) {
        JsonNode type = schema.path("type");
        List<String> types = (type.isArray() ? List.copyOf(type.values()) : List.of(type))
                .stream().map(JsonNode::asString).toList();
        assertThat(types).as(at).contains(typeOf(value));
        if (value.isObject() && schema.has("properties")) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                JsonNode known = schema.path("properties").path(field.getKey());
                assertThat(known.isMissingNode())
                        .as(at + "." + field.getKey() + " is not in the schema")
                        .isFalse();
                check(known, field.getValue(), at + "." + field.getKey());
            }
            schema.path("required")
                    .forEach(name -> assertThat(value.has(name.asString()))
                            .as(at + "." + name)
                            .isTrue());
        }
        for (int i = 0; value.isArray() && schema.has("items") && i < value.size(); i++) {
            check(schema.path("items"), value.get(i), at + "[" + i + "]");
        }
        if (value.isString() && schema.path("format").asString("").equals("date-time")) {
            assertThat(value.asString()).as(at).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        }
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT, POJO -> "object";
            case STRING, BINARY -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL -> "null";
            case MISSING -> "missing";
        };
    }
}
