package dev.holdfast.broker.repository;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Caller;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.ChangedArguments;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.repository.Repository;
import dev.holdfast.repository.RepositoryKey;
import dev.holdfast.store.StorableText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills in the project or queue of a call that names none: the repository its client is in, or else that of its
 * session. {@code *} means all of them.
 */
public record RepositoryDefaults(KnownRepositories known, Agents agents) {
    private static final String ALL = "*";

    /** The argument of each verb that means the repository. */
    private static final Map<String, String> ARGUMENTS = Map.ofEntries(
            Map.entry("create_review", "project"),
            Map.entry("list_reviews", "project"),
            Map.entry("claim_next_review", "project"),
            Map.entry("get_activity_feed", "project"),
            Map.entry("get_review_stats", "project"),
            Map.entry("check_approval", "project"),
            Map.entry("override_approval", "project"),
            Map.entry("start_session", "project"),
            Map.entry("create_work", "queue"),
            Map.entry("import_work", "queue"),
            Map.entry("reserve_paths", "queue"),
            Map.entry("check_path", "queue"),
            Map.entry("list_work", "queue"),
            Map.entry("ready_work", "queue"),
            Map.entry("blocked_work", "queue"),
            Map.entry("claim_next_work", "queue"),
            Map.entry("claim_next", "queue"),
            Map.entry("claim_work", "repository"));

    /** The verbs whose queue is only a filter: they are about every queue if they name none. */
    private static final Set<String> FILTERING = Set.of("export_work", "who");

    /** The arguments whose value is normalized to a repository key. */
    private static final Set<String> QUEUES = Set.of("queue", "repository");

    /** The call's arguments, with the repository filled in if they name none. */
    public JsonNode filled(Verb verb, JsonNode given, Call call) {
        String argument = ARGUMENTS.get(verb.name());
        if (!(given instanceof ObjectNode arguments)) {
            return given;
        }
        if (verb.name().equals("close_work") && arguments.get("next") instanceof ObjectNode next) {
            ChangedArguments filled = new ChangedArguments(arguments);
            filled.set("next", filled(next, "queue", call));
            return filled.all();
        }
        boolean otherKind = verb.name().equals("claim_next")
                && !arguments.path("kind").asString("").equals("work");
        if (FILTERING.contains(verb.name())) {
            return arguments.hasNonNull("queue") ? filled(arguments, "queue", call) : given;
        }
        return argument == null || otherKind ? given : filled(arguments, argument, call);
    }

    private JsonNode filled(ObjectNode given, String argument, Call call) {
        ChangedArguments filled = new ChangedArguments(given);
        JsonNode said = given.get(argument);
        if (said != null && !said.isNull()) {
            if (!said.isString() || StorableText.problem(said.stringValue()) != null) {
                return given; // the verb reports the invalid value
            }
            if (said.stringValue().equals(ALL)) {
                filled.remove(argument);
            } else if (QUEUES.contains(argument) && !said.stringValue().isBlank()) {
                filled.put(argument, RepositoryKey.ofQueue(said.stringValue()));
            }
            return filled.all();
        }
        Optional<String> key = of(call);
        if (key.isEmpty()) {
            return given;
        }
        call.origin().isAbout(key.get());
        filled.put(argument, key.get());
        return filled.all();
    }

    /** The key of the repository that a call is about. */
    public Optional<String> of(Call call) {
        Optional<Repository> here = known.of(
                call.origin().repository(), call.origin().local(), call.reach().covers(), call.reach()::reports);
        here.filter(repository -> repository.isNew() && repository.hasSuffix())
                .ifPresent(repository -> call.origin()
                        .notice("another repository is already called " + repository.name()
                                + ", so this one is " + repository.key()
                                + " here, in all its working trees (to rename it: git config"
                                + " holdfast.project NAME)"));
        return here.map(Repository::key).or(() -> ofSession(call.caller()));
    }

    private Optional<String> ofSession(Caller caller) {
        List<String> names = caller.sessions().isEmpty() ? listOf(caller.name()) : caller.sessions();
        return names.stream()
                .limit(1)
                .map(agents::find)
                .flatMap(Optional::stream)
                .filter(agent -> agent.endedAt() == null)
                .map(Agent::project)
                .flatMap(project -> Optional.ofNullable(project).stream())
                .map(RepositoryKey::ofQueue)
                .filter(key -> !key.isEmpty())
                .findFirst();
    }

    private static List<String> listOf(@Nullable String name) {
        return name == null ? List.of() : List.of(name);
    }
}
