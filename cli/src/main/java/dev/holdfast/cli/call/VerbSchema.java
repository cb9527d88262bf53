package dev.holdfast.cli.call;

import dev.holdfast.cli.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the broker's OpenAPI document says about a verb's input. */
final class VerbSchema {
    private VerbSchema() {}

    /** The input's properties by name; empty for a verb that is not in the document, which the broker will refuse. */
    static JsonObject of(JsonObject openapi, String verb) {
        JsonObject schema = openapi.object("paths")
                .object("/api/v1/" + verb)
                .object("post")
                .object("requestBody")
                .object("content")
                .object("application/json")
                .object("schema");
        return resolve(openapi, schema).object("properties");
    }

    /** All verbs there are. */
    static List<String> verbs(JsonObject openapi) {
        return openapi.object("paths").members().keySet().stream()
                .map(String::valueOf)
                .filter(path -> path.startsWith("/api/v1/")
                        && openapi.object("paths").object(path).has("post"))
                .map(path -> path.substring("/api/v1/".length()))
                .toList();
    }

    private static JsonObject resolve(JsonObject openapi, JsonObject schema) {
        String reference = schema.text("$ref");
        if (reference == null || !reference.startsWith("#/")) {
            return schema;
        }
        JsonObject target = openapi;
        for (String step : reference.substring(2).split("/")) {
            target = target.object(step);
        }
        return target;
    }

    /** The JSON types that a property may have, including those of alternative schemas. */
    static List<String> types(JsonObject property) {
        List<String> types = new ArrayList<>();
        add(types, property.get("type"));
        for (String alternatives : List.of("anyOf", "oneOf")) {
            for (JsonObject alternative : property.objects(alternatives)) {
                types.addAll(types(alternative));
            }
        }
        return types;
    }

    private static void add(List<String> types, @Nullable Object type) {
        switch (type) {
            case String one -> types.add(one);
            case List<?> several -> several.forEach(each -> add(types, each));
            case null, default -> {}
        }
    }
}
