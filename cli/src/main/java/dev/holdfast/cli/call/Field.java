package dev.holdfast.cli.call;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A field of a verb's input as typed: {@code name=VALUE} or {@code name:=JSON}. */
record Field(String name, String value, boolean isJson) {
    static Field parse(String word) {
        int equals = word.indexOf('=');
        boolean isJson = equals > 0 && word.charAt(equals - 1) == ':';
        int end = isJson ? equals - 1 : equals;
        if (end <= 0) {
            throw Failure.invalid("'" + word + "' is not a field; write name=VALUE, or name:=JSON");
        }
        return new Field(word.substring(0, end), word.substring(equals + 1), isJson);
    }

    /**
     * Converts the values to the types in the schema's properties. A value that does not fit stays text: the broker
     * reports it, with the same message as over any other interface.
     */
    static Map<String, @Nullable Object> collect(List<Field> fields, JsonObject properties) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Field field : fields) {
            Object value = field.typed(VerbSchema.types(properties.object(field.name)));
            if (value instanceof List<?> more && values.get(field.name) instanceof List<?> known) {
                List<@Nullable Object> all = new ArrayList<>(known);
                all.addAll(more);
                value = all;
            } else if (values.containsKey(field.name)) {
                throw Failure.invalid("'" + field.name + "' is given twice but is not a list");
            }
            values.put(field.name, value);
        }
        return values;
    }

    private @Nullable Object typed(List<String> types) {
        if (isJson) {
            return json();
        }
        if (types.contains("string") || types.isEmpty()) {
            return value;
        }
        if (types.contains("array") && !value.startsWith("[")) {
            return List.of(value);
        }
        if (types.contains("array") || types.contains("object")) {
            return json();
        }
        if (types.contains("boolean") && (value.equals("true") || value.equals("false"))) {
            return Boolean.valueOf(value);
        }
        if (types.contains("integer") || types.contains("number")) {
            return number();
        }
        return value;
    }

    private Object number() {
        try {
            BigDecimal number = new BigDecimal(value);
            return number.scale() <= 0 && number.precision() < 1000 ? number.toBigIntegerExact() : number;
        } catch (NumberFormatException e) {
            return value;
        }
    }

    private @Nullable Object json() {
        try {
            return Json.read(value);
        } catch (NotJsonException e) {
            throw Failure.invalid("the value of '" + name + "' is not valid JSON: " + e.getMessage());
        }
    }
}
