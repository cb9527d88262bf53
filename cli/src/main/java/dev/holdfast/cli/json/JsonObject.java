package dev.holdfast.cli.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parsed JSON object. What is absent, null or of another type than asked for is null, or empty. */
public record JsonObject(Map<?, ?> members) {
    public static JsonObject of(@Nullable Object value) {
        return new JsonObject(value instanceof Map<?, ?> map ? map : Map.of());
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    public @Nullable Object get(String name) {
        return members.get(name);
    }

    public @Nullable String text(String name) {
        return members.get(name) instanceof String text ? text : null;
    }

    public @Nullable Number number(String name) {
        return members.get(name) instanceof Number number ? number : null;
    }

    public JsonObject object(String name) {
        return of(members.get(name));
    }

    public List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        if (members.get(name) instanceof List<?> list) {
            for (Object element : list) {
                objects.add(of(element));
            }
        }
        return objects;
    }
}
