package dev.holdfast.broker.pool.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The broker as a reviewer sees it: the name of the MCP server and the few tools that reviewing needs. */
final class ReviewerTools {
    static final String SERVER = "holdfast";

    /** Nothing to propose with, to close with or to rule the pool with: whoever talks a reviewer into it gets nowhere. */
    static final List<String> OF_A_REVIEWER = List.of(
            "claim_next_review",
            "get_proposal",
            "get_discussion",
            "get_review_status",
            "submit_verdict",
            "release_review",
            "heartbeat");

    /** What a template may ask for besides, as those of the predecessor do. The broker refuses close_review, and says why. */
    private static final List<String> IF_NAMED = List.of(
            "list_reviews",
            "claim_review",
            "add_message",
            "close_review",
            "get_activity_feed",
            "get_audit_log",
            "get_review_stats",
            "get_review_timeline");

    /** What the predecessor has for others than reviewers. */
    private static final Set<String> OF_OTHERS = Set.of(
            "create_review",
            "accept_counter_patch",
            "reject_counter_patch",
            "spawn_reviewer",
            "kill_reviewer",
            "list_reviewers");

    /** A word with underscores, by itself or as hosts write the tools of a server. */
    private static final Pattern NAME =
            Pattern.compile("(?<![A-Za-z0-9_])(?:mcp__([A-Za-z0-9-]+)__)?([a-z]+(?:_[a-z]+)+)(?![A-Za-z0-9_])");

    private ReviewerTools() {}

    /** The tools of a reviewer with this prompt. */
    static List<String> of(String prompt) {
        List<String> tools = new ArrayList<>(OF_A_REVIEWER);
        Set<String> named = names(prompt, _ -> true, 2);
        IF_NAMED.stream().filter(named::contains).forEach(tools::add);
        return tools;
    }

    /** The tools that this prompt names and that a reviewer does not get. */
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
