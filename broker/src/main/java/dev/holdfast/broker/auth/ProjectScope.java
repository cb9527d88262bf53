package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.ChangedArguments;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.token.TeamToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Restricts a token to its projects. Everything that a call names, by project or by id, must belong to one of them. A
 * call that names nothing is about the token's only project; if there are several, it must name one. Anything without a
 * project is out of reach, and so are verbs that cannot be limited to one project.
 */
final class ProjectScope {
    /** Arguments that name a project; a call is about the first of these that its verb has. */
    private static final List<String> PROJECTS = List.of("project", "queue", "namespace", "repository");

    /** These concern only what the caller itself holds. */
    private static final Set<String> OWN = Set.of("heartbeat", "release", "end_session");

    /** Here the argument is a change, not a filter. */
    private static final Set<String> NEVER_FILLED = Set.of("update_work");

    private final Function<Resource, Optional<String>> projectOf;

    /** @param projectOf the project, queue or namespace of a resource; empty: it does not exist */
    ProjectScope(Function<Resource, Optional<String>> projectOf) {
        this.projectOf = projectOf;
    }

    /**
     * The call, limited to this token's projects.
     *
     * @param given with full ids
     * @throws RefusedException when it concerns anything else
     */
    ObjectNode within(TeamToken token, Verb verb, ObjectNode given) {
        if (!token.confined() || OWN.contains(verb.name())) {
            return given;
        }
        List<Resource> things = things(token, verb, given);
        things.forEach(thing -> check(token, thing));
        ChangedArguments within = new ChangedArguments(given);
        Optional<String> argument = PROJECTS.stream()
                .filter(name ->
                        verb.arguments().stream().anyMatch(field -> field.name().equals(name)))
                .findFirst();
        boolean named = checkNamed(token, given);
        if (verb.name().equals("update_work")
                && given.path("queue").isString()
                && given.path("queue").asString().isBlank()) {
            throw outside(token, "an item without a queue belongs to none");
        }
        checkOnFinish(token, given);
        if (!named && (things.isEmpty() || takesNext(given)) && !NEVER_FILLED.contains(verb.name())) {
            within.put(
                    argument.orElseThrow(() -> outside(
                            token,
                            things.isEmpty()
                                    ? verb.name() + " cannot be limited to one project"
                                    : verb.name() + " would claim from any project")),
                    only(token, argument.orElse("project")));
        }
        if (given.get("next") instanceof ObjectNode next) {
            within.set("next", next(token, next));
        }
        return within.all();
    }

    /** {@code next: true} also claims another item. */
    private static boolean takesNext(ObjectNode given) {
        return given.path("next").asBoolean(false);
    }

    private static ObjectNode next(TeamToken token, ObjectNode next) {
        if (checkNamed(token, next)) {
            return next;
        }
        ObjectNode filled = next.deepCopy();
        filled.put("queue", only(token, "queue"));
        return filled;
    }

    /** Whether the call names any project; all that it names must be the token's. */
    private static boolean checkNamed(TeamToken token, ObjectNode given) {
        List<String> named = new ArrayList<>();
        for (String argument : PROJECTS) {
            text(given.get(argument)).ifPresent(named::add);
        }
        given.path("projects").forEach(one -> text(one).ifPresent(named::add));
        named.forEach(project -> {
            if (!token.covers(project)) {
                throw outside(token, "the project " + project + " is not one of them");
            }
        });
        return !named.isEmpty();
    }

    /** The broker carries out on_finish, and it may do everything; so check it here. */
    private void checkOnFinish(TeamToken token, ObjectNode given) {
        JsonNode then = given.path("on_finish");
        text(then.path("close_work").get("id")).ifPresent(id -> {
            Resource item = new Resource(Kind.WORK, id);
            if (projectOf.apply(item).isEmpty()) { // if it is created later, it may belong to any project
                throw outside(token, "there is no " + item + " that on_finish.close_work could close");
            }
            check(token, item);
        });
        if (then.has("open_review")) {
            String project = text(then.path("open_review").get("project")).orElse("");
            if (!token.covers(project)) {
                throw outside(token, "on_finish.open_review needs one of them as project");
            }
        }
    }

    private List<Resource> things(TeamToken token, Verb verb, ObjectNode given) {
        List<Resource> things = new ArrayList<>();
        for (Property field : verb.arguments()) {
            JsonNode value = given.get(field.name());
            Kind kind = field.idOf();
            if (value == null || value.isNull()) {
                continue;
            }
            if (kind != null && value.isArray()) {
                value.forEach(one -> text(one).ifPresent(id -> things.add(new Resource(kind, id))));
            } else if (kind != null) {
                text(value).ifPresent(id -> things.add(new Resource(kind, id)));
            } else if (field.name().equals("resource")) {
                text(value).ifPresent(resource -> things.add(resource(token, resource)));
            } else if (field.name().equals("under")) {
                text(value.get("resource")).ifPresent(resource -> things.add(resource(token, resource)));
            }
        }
        return things;
    }

    private static Resource resource(TeamToken token, String text) {
        int colon = text.indexOf(':');
        return Kind.of(text.substring(0, Math.max(0, colon)))
                .map(kind -> new Resource(kind, text.substring(colon + 1)))
                .orElseThrow(() -> outside(token, text + " belongs to no project"));
    }

    private void check(TeamToken token, Resource thing) {
        Optional<String> project = projectOf.apply(thing);
        boolean freeStanding = switch (thing.kind()) {
            case PATH, KEY, RESERVATION, BROKER -> true;
            case REVIEW, WORK, STEP, FINALIZATION -> false;
        };
        if (freeStanding || (project.isPresent() && project.get().isBlank())) {
            throw outside(token, thing + " belongs to no project");
        }
        if (project.isPresent() && !token.covers(project.get())) {
            throw outside(token, thing + " belongs to another project");
        }
    }

    private static String only(TeamToken token, String argument) {
        if (token.projects().size() > 1) {
            throw new RefusedException(
                    RefusalCode.INVALID,
                    "name the project as " + argument + ": this token is only valid for "
                            + String.join(", ", token.projects()));
        }
        return token.projects().getFirst();
    }

    private static RefusedException outside(TeamToken token, String why) {
        return new RefusedException(
                RefusalCode.FORBIDDEN,
                "the token " + token.name() + " is limited to " + String.join(", ", token.projects()) + ", and " + why);
    }

    private static Optional<String> text(@Nullable JsonNode value) {
        return value != null && value.isString() && !value.stringValue().isBlank()
                ? Optional.of(value.stringValue())
                : Optional.empty();
    }
}
