package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.ChangedArguments;
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
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Restricts a token to its projects. Everything that a call names, by project or by id, must belong to one of them;
 * anything else does not exist for the token. A call that names nothing is about the token's only project; if there are
 * several, it must name one. Verbs that cannot be limited to one project are out of reach.
 */
final class ProjectScope {
    /** Arguments that name a project; a call is about the first of these that its verb has. */
    private static final List<String> PROJECTS = List.of("project", "queue", "namespace", "repository");

    /** Names several of them. */
    private static final String SEVERAL = "projects";

    /** These concern only what the caller itself holds. */
    private static final Set<String> OWN = Set.of("heartbeat", "release", "end_session");

    /** Here the argument is a change, not a filter. */
    private static final Set<String> NEVER_FILLED = Set.of("update_work");

    /** Here a caller can choose an id, and would learn whether another project has it. */
    private static final Set<String> CHOOSES_ID = Set.of("create_work");

    private final Function<Resource, Optional<String>> projectOf;
    private final BiPredicate<TeamToken, Resource> isOwn;

    /**
     * @param projectOf the project, queue or namespace of a resource; empty: it does not exist
     * @param isOwn whether only the token's names have to do with a claim of this resource
     */
    ProjectScope(Function<Resource, Optional<String>> projectOf, BiPredicate<TeamToken, Resource> isOwn) {
        this.projectOf = projectOf;
        this.isOwn = isOwn;
    }

    /** Whether this resource exists for the token. */
    boolean exists(TeamToken token, Resource thing) {
        return isOwn.test(token, thing) || coveredProject(token, thing).isPresent();
    }

    private Optional<String> coveredProject(TeamToken token, Resource thing) {
        return projectOf.apply(thing).filter(project -> !project.isBlank() && token.covers(project));
    }

    /**
     * The call, limited to this token's projects.
     *
     * @param given with full ids
     * @throws RefusedException when it concerns anything else
     */
    ObjectNode within(TeamToken token, Verb verb, ObjectNode given) {
        if (!token.confined()) {
            return given;
        }
        List<String> things = ReferencedIds.of(verb, given);
        if (OWN.contains(verb.name())) {
            things.forEach(thing -> checkOwn(token, thing));
            return given;
        }
        List<String> projects =
                things.stream().map(thing -> project(token, thing)).toList();
        checkNamed(token, given);
        checkOnFinish(token, given);
        if (CHOOSES_ID.contains(verb.name())
                && ReferencedIds.text(given.get("id")).isPresent()) {
            throw outside(token, "all projects share the ids of work items; leave id out");
        }
        ChangedArguments within = new ChangedArguments(given);
        Optional<String> argument =
                PROJECTS.stream().filter(name -> takes(verb, name)).findFirst();
        boolean named =
                argument.flatMap(name -> ReferencedIds.text(given.get(name))).isPresent()
                        || (takes(verb, SEVERAL) && !given.path(SEVERAL).isEmpty());
        if (!named && isFilled(verb, given)) {
            if (argument.isPresent()) {
                within.put(argument.get(), projects.isEmpty() ? only(token, argument.get()) : projects.getFirst());
            } else if (things.isEmpty() || takesNext(given)) {
                throw outside(token, verb.name() + " cannot be limited to one project");
            }
        }
        argument.filter(name -> isBlank(within.all().get(name))).ifPresent(name -> {
            throw outside(token, "what has no " + name + " belongs to none");
        });
        if (given.get("next") instanceof ObjectNode next) {
            within.set("next", next(token, next));
        }
        return within.all();
    }

    private static boolean takes(Verb verb, String argument) {
        return verb.arguments().stream().anyMatch(field -> field.name().equals(argument));
    }

    /** Whether an omitted project means the token's; where the argument is a change, it means no change. */
    private static boolean isFilled(Verb verb, ObjectNode given) {
        return !NEVER_FILLED.contains(verb.name()) && (!takes(verb, "next") || takesNext(given));
    }

    private static boolean isBlank(@Nullable JsonNode value) {
        return value != null && value.isString() && value.stringValue().isBlank();
    }

    /** {@code next: true} also claims another item. */
    private static boolean takesNext(ObjectNode given) {
        return given.path("next").asBoolean(false);
    }

    private static ObjectNode next(TeamToken token, ObjectNode next) {
        checkNamed(token, next);
        if (ReferencedIds.text(next.get("queue")).isPresent()) {
            return next;
        }
        ObjectNode filled = next.deepCopy();
        filled.put("queue", only(token, "queue"));
        return filled;
    }

    /** All projects that the call names must be the token's. */
    private static void checkNamed(TeamToken token, ObjectNode given) {
        List<String> named = new ArrayList<>();
        for (String argument : PROJECTS) {
            ReferencedIds.text(given.get(argument)).ifPresent(named::add);
        }
        given.path(SEVERAL).forEach(one -> named.add(ReferencedIds.text(one).orElse("")));
        named.forEach(project -> {
            if (project.isBlank()) {
                throw outside(token, "what has no project belongs to none");
            }
            if (!token.covers(project)) {
                throw outside(token, "the project " + project + " is not one of them");
            }
        });
    }

    /** The broker carries out on_finish, and it may do everything; so check it here. */
    private void checkOnFinish(TeamToken token, ObjectNode given) {
        JsonNode then = given.path("on_finish");
        ReferencedIds.text(then.path("close_work").get("id")).ifPresent(id -> project(token, Kind.WORK + ":" + id));
        if (then.has("open_review")) {
            String project =
                    ReferencedIds.text(then.path("open_review").get("project")).orElse("");
            if (!token.covers(project)) {
                throw outside(token, "on_finish.open_review needs one of them as project");
            }
        }
    }

    /**
     * The project of a thing, if the token covers it. Whatever else there may be does not exist for the token, so that
     * it cannot learn what there is.
     */
    private String project(TeamToken token, String thing) {
        return ReferencedIds.resource(thing)
                .filter(resource -> ofProjects(token, thing, resource))
                .flatMap(resource -> coveredProject(token, resource))
                .orElseThrow(() -> missing(token, thing));
    }

    private static boolean ofProjects(TeamToken token, String thing, Resource resource) {
        return switch (resource.kind()) {
            case PATH, KEY, RESERVATION, BROKER -> throw outside(token, thing + " belongs to no project");
            case REVIEW, WORK, STEP, FINALIZATION -> true;
        };
    }

    /** What the token holds is its own. Who holds anything else outside of its projects is not for it to know. */
    private void checkOwn(TeamToken token, String thing) {
        if (ReferencedIds.resource(thing)
                .filter(resource -> isOwn.test(token, resource))
                .isEmpty()) {
            project(token, thing);
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

    private static RefusedException missing(TeamToken token, String thing) {
        return new RefusedException(
                RefusalCode.NOT_FOUND, "there is no " + thing + " in " + String.join(", ", token.projects()));
    }

    private static RefusedException outside(TeamToken token, String why) {
        return new RefusedException(
                RefusalCode.FORBIDDEN,
                "the token " + token.name() + " is limited to " + String.join(", ", token.projects()) + ", and " + why);
    }
}
