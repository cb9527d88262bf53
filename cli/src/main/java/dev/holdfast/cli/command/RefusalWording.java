package dev.holdfast.cli.command;

import dev.holdfast.cli.terminal.DurationText;
import dev.holdfast.cli.terminal.JsonText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rewords refusals for the command line: the broker's name verbs and fields, which nobody typed here. */
public final class RefusalWording {
    private static final Pattern TRANSITION =
            Pattern.compile("Invalid transition: (\\w+) -> (\\w+)\\..*", Pattern.DOTALL);

    private static final Pattern SECONDS =
            Pattern.compile("\\b(ttl|wait)_seconds must be from (\\d{1,9}) to (\\d{1,9}), not (-?\\d{1,9})");

    /** On the command line, a review is shown whole. */
    private static final Pattern UNREAD = Pattern.compile(
            "Unread: (.+) Read it with get_proposal \\(caller_id: .*?\\), continuing at next_offset until there is none; then approve(.*)",
            Pattern.DOTALL);

    private static final Pattern NO_MESSAGES = Pattern.compile("Cannot add message to review in '(\\w+)' state\\. .*");

    private static final Pattern TURN = Pattern.compile("Turn violation: '(\\w+)' sent the last message\\. .*");

    /** The caller has lost a review, or never held it. */
    private static final Pattern ANOTHERS =
            Pattern.compile("Unauthorized: review is claimed by (.+), not .+", Pattern.DOTALL);

    private static final Pattern TOO_SHORT =
            Pattern.compile("Review not found: (\\S{1,3})|Review (\\S{1,3}) not found\\.?");

    /** A time as programs write it. */
    private static final Pattern MOMENT =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z");

    private static final Pattern MISSING = Pattern.compile("missing field (\\w+): ");

    private static final Pattern BLOCKED = Pattern.compile(
            "resolved: \\[\"(\\S+?)\"]; any other reviewer waives it: waived: \\[\\{\"id\": \"\\S+?\", \"reason\": \"\\.\\.\\.\"}]");

    /** Advice that names calls, where the command line shows its own advice next to it. */
    private static final Map<String, String> PHRASES = Map.ofEntries(
            Map.entry(
                    " Change it, and submit it with create_review and this review_id.",
                    " Change it, and propose the next round."),
            Map.entry("Wait for its verdict: get_review_status with wait: true.", "Wait for its verdict."),
            Map.entry("Diff validation failed on submission. Diff does not apply cleanly.", "the diff does not apply:"),
            Map.entry("say it in reason", "say it with --reason"),
            Map.entry(
                    "read it with get_proposal (caller_id: your reviewer_id), or name the revision that you judge",
                    "read it again, or name the revision that you judge with --revision"),
            Map.entry(
                    "Reviewer pool not configured. Add reviewer_pool section to config.",
                    "there is no reviewer pool; start the broker with 'holdfast serve --reviewers rules' (docs/pool.md)"),
            Map.entry(
                    "; only callers with that token can use it",
                    "; to use it, set HOLDFAST_TOKEN_FILE to the file that has the token"),
            Map.entry("Unknown broker-managed reviewer_id: ", "the pool has no reviewer "),
            Map.entry(
                    "if you are someone else, give your own name.",
                    "if you are someone else, say so with --holder NAME."),
            Map.entry(
                    "needs holder and claim_generation, as the claim gave them",
                    "needs --holder and --generation, as the claim gave them"),
            Map.entry("Ask for that project,", "Ask for that project (--project NAME),"),
            Map.entry(") may not call ", ") may not use "));

    private static final Pattern ANOTHER_NAME =
            Pattern.compile("this is the token of (\\S+), which cannot act as (.+?); its names are .+", Pattern.DOTALL);

    private static final Pattern PHRASE =
            Pattern.compile(PHRASES.keySet().stream().map(Pattern::quote).collect(Collectors.joining("|")));

    private static final String CLAIM = "holdfast review claim ";

    private static final Map<String, String> WORDS = words();

    private static final Pattern NAMES = Pattern.compile("\\b(" + String.join("|", WORDS.keySet()) + ")\\b");

    private RefusalWording() {}

    /** @param id the command's first argument; null: none */
    static String of(String refusal, @Nullable String id) {
        String text = of(refusal);
        return id == null ? text : text.replace(CLAIM + "ID", CLAIM + id);
    }

    public static String of(String refusal) {
        Matcher transition = TRANSITION.matcher(refusal);
        if (transition.matches()) {
            return transition(transition.group(1), transition.group(2));
        }
        Matcher unread = UNREAD.matcher(refusal);
        if (unread.matches()) {
            return "not read yet: " + unread.group(1) + " Read it with 'review show', then approve.";
        }
        Matcher message = NO_MESSAGES.matcher(refusal);
        if (message.matches()) {
            return message.group(1).equals("pending")
                    ? "nobody has claimed this review yet; you can write once a reviewer has"
                    : "the review is " + message.group(1) + ": it accepts no messages";
        }
        Matcher another = ANOTHERS.matcher(refusal);
        if (another.matches()) {
            return "you do not hold this review; " + another.group(1) + " does";
        }
        Matcher name = ANOTHER_NAME.matcher(refusal);
        if (name.matches()) {
            return refusal + "; export HOLDFAST_AGENT=" + name.group(1) + ", or leave it unset";
        }
        if (TOO_SHORT.matcher(refusal).matches()) {
            return refusal + "; the beginning of an id needs at least 4 characters";
        }
        Matcher turn = TURN.matcher(refusal);
        if (turn.matches()) {
            String next = turn.group(1).equals("proposer") ? "reviewer" : "proposer";
            return "it is the " + next + "'s turn: you wrote last";
        }
        String local = MOMENT.matcher(refusal).replaceAll(found -> JsonText.time(found.group()));
        String text = SECONDS.matcher(local)
                .replaceAll(found -> "--" + found.group(1) + " must be from " + span(found.group(2)) + " to "
                        + span(found.group(3)) + ", not " + span(found.group(4)));
        text = BLOCKED.matcher(text).replaceAll("--resolve $1; any other reviewer waives it: --waive $1=REASON");
        text = PHRASE.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(PHRASES.getOrDefault(found.group(), "")));
        text = MISSING.matcher(text).replaceAll(found -> found.group(1) + " is missing: ");
        return NAMES.matcher(text).replaceAll(found -> Matcher.quoteReplacement(WORDS.getOrDefault(found.group(), "")));
    }

    /** Git's message about a diff, without the broker's advice about a field that the command line fills in. */
    static String ofProblem(String text) {
        return text.replace(", or name the one that it was made from as base", "");
    }

    private static String transition(String from, String to) {
        String now = "the review is " + from;
        if (from.equals(to)) {
            return now + " already";
        }
        return switch (to) {
            case "approved", "changes_requested" ->
                now + (from.equals("pending") ? ": claim it first (" + CLAIM + "ID)" : ": it accepts no verdict");
            case "claimed" -> now + ": only a pending one can be claimed";
            case "closed" -> now + ": only an approved one can be closed";
            case "pending" -> now + ": it accepts no further round; propose the change as a new review";
            default -> now + ": that is not possible now";
        };
    }

    private static String span(String seconds) {
        return seconds.startsWith("-") ? seconds + "s" : DurationText.show(Duration.ofSeconds(Long.parseLong(seconds)));
    }

    /** For each verb or field, the command or option that a person would type. */
    private static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("claim_next", "'claim --next'");
        words.put("claim_next_review", "'review next'");
        words.put("claim_next_work", "'claim --next'");
        words.put("claim_next_step", "'task next'");
        words.put("claim_review", "'review claim'");
        words.put("claim_work", "'work claim'");
        words.put("create_review", "'review create'");
        words.put("create_work", "'work create'");
        words.put("update_work", "'work update'");
        words.put("close_work", "'work close'");
        words.put("get_work", "'work show'");
        words.put("list_work", "'work list'");
        words.put("ready_work", "'work ready'");
        words.put("blocked_work", "'work blocked'");
        words.put("add_dependency", "'work dep'");
        words.put("remove_dependency", "'work dep --remove'");
        words.put("reserve_paths", "'work reserve'");
        words.put("check_path", "'work check'");
        words.put("import_work", "'import beads'");
        words.put("export_work", "'export beads'");
        words.put("release_review", "'review release'");
        words.put("withdraw_review", "'review withdraw'");
        words.put("close_review", "'review close'");
        words.put("accept_counter_patch", "'review accept'");
        words.put("reject_counter_patch", "'review reject'");
        words.put("submit_verdict", "'review verdict'");
        words.put("get_proposal", "'review show'");
        words.put("get_review_status", "'review show'");
        words.put("list_reviews", "'review list'");
        words.put("add_message", "'review message'");
        words.put("get_discussion", "'review discussion'");
        words.put("get_activity_feed", "'review feed'");
        words.put("get_audit_log", "'review audit'");
        words.put("get_review_timeline", "'review timeline'");
        words.put("get_review_stats", "'review stats'");
        words.put("check_approval", "'gate'");
        words.put("override_approval", "'gate --override'");
        words.put("spawn_reviewer", "'pool spawn'");
        words.put("kill_reviewer", "'pool kill'");
        words.put("list_reviewers", "'pool status'");
        words.put("create_task", "'task create'");
        words.put("get_task", "'task show'");
        words.put("list_tasks", "'task list'");
        words.put("cancel_task", "'task cancel'");
        words.put("complete_step", "'task complete'");
        words.put("fail_step", "'task fail'");
        words.put("start_session", "'session start'");
        words.put("end_session", "'session end'");
        words.put("list_agents", "'session list'");
        words.put("get_events", "'events'");
        words.put("import_reviews", "'import gsd-review-broker'");
        words.put("create_token", "'token create'");
        words.put("list_tokens", "'token list'");
        words.put("revoke_token", "'token revoke'");
        words.put("rotate_token", "'token rotate'");
        words.put("claim_generation", "--generation");
        words.put("request_id", "--request-id");
        words.put("reviewer_id", "--holder");
        words.put("caller_id", "--holder");
        words.put("ttl_seconds", "--ttl");
        words.put("wait_seconds", "--wait");
        words.put("keep_status", "--keep-status");
        words.put("defer_until", "--defer-until");
        words.put("external_ref", "--external-ref");
        words.put("discovered_from", "--discovered-from");
        words.put("counter_patch", "--counter-patch");
        words.put("idempotency_key", "--key");
        words.put("agent_type", "--holder");
        words.put("review_id", "the review's id");
        return words;
    }
}
