package dev.holdfast.broker.auth;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.verb.ChangedArguments;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets callers name themselves as {@code holder} in every verb, even where the predecessor's clients send
 * {@code reviewer_id}, {@code caller_id} or {@code processor_id}; fills in a missing name from the caller's session.
 */
final class HolderArguments {
    private static final String HOLDER = "holder";

    private HolderArguments() {}

    /** @param caller only asked if something is missing */
    static JsonNode filled(Verb verb, JsonNode given, Supplier<Caller> caller) {
        if (!(given instanceof ObjectNode arguments)) {
            return given;
        }
        ChangedArguments filled = new ChangedArguments(arguments);
        boolean hasHolder =
                verb.arguments().stream().anyMatch(field -> field.name().equals(HOLDER));
        for (Property field : verb.arguments()) {
            if (field.actor() && isMissing(arguments, field)) {
                name(arguments, field, hasHolder, caller).ifPresent(name -> filled.put(field.name(), name));
            }
        }
        if (!hasHolder && !verb.actors().isEmpty()) {
            filled.remove(HOLDER);
        }
        return filled.all();
    }

    private static boolean isMissing(ObjectNode given, Property field) {
        return !given.has(field.name()) || given.path(field.name()).isNull();
    }

    private static Optional<String> name(ObjectNode given, Property field, boolean hasHolder, Supplier<Caller> caller) {
        if (!hasHolder && given.path(HOLDER).isString()) {
            return Optional.of(given.path(HOLDER).stringValue());
        }
        return field.presence() == Property.Presence.REQUIRED
                ? Optional.ofNullable(caller.get().name())
                : Optional.empty();
    }
}
