package dev.holdfast.broker.auth;

import static dev.holdfast.token.Role.ADMIN;
import static dev.holdfast.token.Role.PROCESSOR;
import static dev.holdfast.token.Role.PROPOSER;
import static dev.holdfast.token.Role.REVIEWER;
import static dev.holdfast.token.Role.WORKER;

import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.token.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of which role may call which verb. A verb without a row here cannot be served. */
public final class Permissions {
    private static final Map<String, Set<Role>> ROLES = new HashMap<>();

    static {
        everybody(
                "who",
                "get_work",
                "list_work",
                "ready_work",
                "blocked_work",
                "check_path",
                "export_work",
                "get_task",
                "list_tasks",
                "get_finalization_attempts",
                "list_reviews",
                "get_review_status",
                "get_proposal",
                "get_discussion",
                "get_activity_feed",
                "get_audit_log",
                "get_review_timeline",
                "get_review_stats",
                "check_approval",
                "list_reviewers",
                "get_reviewer_log",
                "get_events",
                "list_agents");
        row(Set.of(PROPOSER, REVIEWER, WORKER, PROCESSOR), "start_session", "end_session", "heartbeat", "release");
        // what these may claim also depends on the kind
        row(Set.of(PROPOSER, REVIEWER, WORKER, PROCESSOR), "claim", "claim_next");
        row(Set.of(PROPOSER, WORKER), "reserve_paths", "create_work");
        row(
                Set.of(WORKER),
                "update_work",
                "add_dependency",
                "remove_dependency",
                "claim_work",
                "claim_next_work",
                "close_work");
        row(Set.of(WORKER), "claim_next_step", "claim_step", "complete_step", "fail_step");
        row(Set.of(WORKER, PROCESSOR), "create_task", "add_steps");
        row(
                Set.of(PROCESSOR),
                "cancel_task",
                "retry_task",
                "claim_finalization",
                "extend_finalization",
                "release_finalization",
                "finish_task");
        row(
                Set.of(PROPOSER),
                "create_review",
                "close_review",
                "withdraw_review",
                "accept_counter_patch",
                "reject_counter_patch");
        row(Set.of(REVIEWER), "claim_review", "claim_next_review", "submit_verdict", "release_review");
        row(Set.of(PROPOSER, REVIEWER), "add_message");
        row(
                Set.of(),
                "import_work",
                "import_reviews",
                "override_approval",
                "take_back",
                "spawn_reviewer",
                "kill_reviewer",
                "create_token",
                "list_tokens",
                "revoke_token",
                "rotate_token");
    }

    /**
     * By kind, the verb that claims it: a role that may call that verb may also claim the kind with the generic verbs.
     */
    private static final Map<Kind, String> BY_KIND = new EnumMap<>(Map.of(
            Kind.REVIEW, "claim_review",
            Kind.WORK, "claim_work",
            Kind.STEP, "claim_step",
            Kind.FINALIZATION, "claim_finalization",
            Kind.PATH, "reserve_paths",
            Kind.KEY, "heartbeat",
            Kind.RESERVATION, "reserve_paths"));

    private Permissions() {}

    private static void everybody(String... verbs) {
        row(EnumSet.allOf(Role.class), verbs);
    }

    /** An admin may call all of them. */
    private static void row(Set<Role> roles, String... verbs) {
        EnumSet<Role> all = EnumSet.of(ADMIN);
        all.addAll(roles);
        for (String verb : verbs) {
            if (ROLES.put(verb, Collections.unmodifiableSet(all)) != null) {
                throw new IllegalStateException(verb + " has two rows");
            }
        }
    }

    /** The roles that may call it; empty for a verb that is not in the table. */
    public static Set<Role> of(String verb) {
        return ROLES.getOrDefault(verb, Set.of());
    }

    public static boolean allow(Collection<Role> roles, String verb) {
        return roles.stream().anyMatch(of(verb)::contains);
    }

    /** Whether these roles may claim things of this kind with the generic verbs. */
    static boolean allowClaiming(Collection<Role> roles, Kind kind) {
        String verb = BY_KIND.get(kind);
        return verb != null && allow(roles, verb);
    }

    /** @throws IllegalStateException naming verbs without a row, and rows without a verb */
    public static void check(List<Verb> verbs) {
        Set<String> known = verbs.stream().map(Verb::name).collect(Collectors.toSet());
        Set<String> without =
                known.stream().filter(verb -> !ROLES.containsKey(verb)).collect(Collectors.toSet());
        Set<String> gone =
                ROLES.keySet().stream().filter(verb -> !known.contains(verb)).collect(Collectors.toSet());
        if (!without.isEmpty() || !gone.isEmpty()) {
            throw new IllegalStateException("no row in Permissions for " + without + "; no verb for its rows " + gone);
        }
    }

    /** The table in readable form, one line per verb. */
    public static String table(List<Verb> verbs) {
        List<Role> roles = Arrays.asList(Role.values());
        StringBuilder table = new StringBuilder("| verb |");
        roles.forEach(role -> table.append(' ').append(role).append(" |"));
        table.append("\n| --- |").append(" --- |".repeat(roles.size())).append('\n');
        for (Verb verb : verbs) {
            table.append("| `").append(verb.name()).append("` |");
            roles.forEach(role -> table.append(of(verb.name()).contains(role) ? " yes |" : " |"));
            table.append('\n');
        }
        return table.toString();
    }
}
