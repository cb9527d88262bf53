package dev.holdfast.broker;

import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Arguments that any verb would at least look at: everything that it must be given.
 *
 * @param things the ids to name, by kind
 * @param actor who calls
 */
public record VerbArguments(Map<Kind, String> things, String actor) {
    /** Arguments that name a project. */
    public static final Set<String> PROJECTS = Set.of("project", "queue", "namespace", "repository");

    public Map<String, Object> of(Verb verb) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (Property field : verb.arguments()) {
            if (field.required() || field.actor()) {
                arguments.put(field.name(), value(field));
            }
        }
        switch (verb.name()) {
            case "claim", "release", "take_back", "get_events" -> arguments.put("resource", "work:" + id(Kind.WORK));
            case "claim_next" -> arguments.put("kind", "work");
            case "get_audit_log" -> arguments.put("review_id", id(Kind.REVIEW));
            case "get_finalization_attempts" -> arguments.put("task_id", id(Kind.FINALIZATION));
            case "create_task" -> arguments.put("steps", List.of(Map.of("key", "one")));
            case "add_message" -> arguments.put("sender_role", "reviewer");
            default -> {}
        }
        return arguments;
    }

    private Object value(Property field) {
        if (field.actor()) {
            return actor;
        }
        if (field.idOf() != null) {
            String id = id(field.idOf());
            return field.type() == Property.Type.TEXTS ? List.of(id) : id;
        }
        return switch (field.type()) {
            case INTEGER, NUMBER -> 1;
            case BOOLEAN -> false;
            case OBJECT, ANYTHING -> Map.of();
            case TEXTS, OBJECTS -> List.of();
            case TEXT, TIME, VALUE ->
                field.words().isEmpty() ? "something" : field.words().getFirst();
        };
    }

    private String id(Kind kind) {
        return Objects.requireNonNull(things.get(kind));
    }
}
