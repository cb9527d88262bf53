package dev.holdfast.broker.pool.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The broker from a reviewer's side: the MCP server's name and the few tools that reviewing needs. */
final class ReviewerTools {
    static final String SERVER = "holdfast";

    /** None of them proposes, closes reviews or controls the pool, so manipulating a reviewer gains nothing. */
    static final List<String> OF_A_REVIEWER = List.of(
            "claim_next_review",
            "get_proposal",
            "get_discussion",
            "get_review_status",
            "submit_verdict",
            "release_review",
            "heartbeat");

    /**
     * Further tools that a template may name, as the predecessor's do. The broker refuses close_review and explains
     * why.
     */
    private static final List<String> IF_NAMED = List.of(
            "list_reviews",
            "claim_review",
            "add_message",
            "close_review",
            "get_activity_feed",
            "get_audit_log",
            "get_review_stats",
            "get_review_timeline");

    /** The predecessor's tools that are not for reviewers. */
    private static final Set<String> OF_OTHERS = Set.of(
            "create_review",
            "accept_counter_patch",
            "reject_counter_patch",
            "spawn_reviewer",
            "kill_reviewer",
            "list_reviewers");

    /** A word with underscores, alone or with the prefix that hosts put before a server's tools. */
    private static final Pattern NAME =
            Pattern.compile("(?<![A-Za-z0-9_])(?:mcp__([A-Za-z0-9-]+)__)?([a-z]+(?:_[a-z]+)+)(?![A-Za-z0-9_])");

    private ReviewerTools() {}

    /** The tools for a reviewer with this prompt. */
    static List<String> of(String prompt) {
        List<String> tools = new ArrayList<>(OF_A_REVIEWER);
        Set<String> named = names(prompt, _ -> true, 2);
        IF_NAMED.stream().filter(named::contains).forEach(tools::add);
        return tools;
    }

    /** The tools that this prompt names but a reviewer does not get. */
    static Set<String> missing(String prompt) {
        Set<String> missing = names(prompt, found -> OF_OTHERS.contains(found.group(2)), 2);
        missing.addAll(
                names(prompt, found -> found.group(1) != null && !found.group(1).equals(SERVER), 0));
        return missing;
    }

    private static Set<String> names(String prompt, Predicate<MatchResult> which, int group) {
        Set<String> names = new TreeSet<>();
        NAME.matcher(prompt).results().filter(which).forEach(found -> names.add(found.group(group)));
        return names;
    }
}
