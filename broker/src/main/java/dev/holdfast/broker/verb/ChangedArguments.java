package dev.holdfast.broker.verb;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A call's arguments with changes made on the way in. They are copied only at the first change. */
public final class ChangedArguments {
    private final ObjectNode given;
    private @Nullable ObjectNode copy;

    public ChangedArguments(ObjectNode given) {
        this.given = given;
    }

    public void put(String name, String text) {
        JsonNode before = all().get(name);
        if (before == null || !text.equals(before.stringValue(null))) {
            copied().put(name, text);
        }
    }

    public void set(String name, JsonNode value) {
        if (!value.equals(all().get(name))) {
            copied().set(name, value);
        }
    }

    public void remove(String name) {
        if (all().has(name)) {
            copied().remove(name);
        }
    }

    /** The current arguments; the given object itself if nothing has changed. */
    public ObjectNode all() {
        return copy == null ? given : copy;
    }

    private ObjectNode copied() {
        copy = copy == null ? given.deepCopy() : copy;
        return copy;
    }
}
