package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything that a call names by its id, however its verb takes it. */
final class ReferencedIds {
    private ReferencedIds() {}

    /** As {@code kind:id}; the kind of what a caller names as {@code resource} may be unknown. */
    static List<String> of(Verb verb, ObjectNode given) {
        List<String> things = new ArrayList<>();
        for (Property field : verb.arguments()) {
            JsonNode value = given.get(field.name());
            Kind kind = field.idOf();
            if (value == null) {
                continue;
            }
            if (kind != null && value.isArray()) {
                value.forEach(one -> text(one).ifPresent(id -> things.add(kind + ":" + id)));
            } else if (kind != null) {
                text(value).ifPresent(id -> things.add(kind + ":" + id));
            } else if (field.name().equals("resource")) {
                text(value).ifPresent(things::add);
            } else if (field.name().equals("under")) {
                text(value.get("resource")).ifPresent(things::add);
            }
        }
        return things;
    }

    /** Empty: there is no such kind, or no id. */
    static Optional<Resource> resource(String thing) {
        int colon = thing.indexOf(':');
        String id = thing.substring(colon + 1);
        return id.isBlank()
                ? Optional.empty()
                : Kind.of(thing.substring(0, Math.max(0, colon))).map(kind -> new Resource(kind, id));
    }

    /** Empty: not a text, or a blank one. */
    static Optional<String> text(@Nullable JsonNode value) {
        return value != null && value.isString() && !value.stringValue().isBlank()
                ? Optional.of(value.stringValue())
                : Optional.empty();
    }
}
