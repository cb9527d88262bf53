package dev.holdfast.cli.command;

import dev.holdfast.cli.terminal.Span;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refusals in the words of the command line: the broker's name verbs and fields, which nobody here has typed. */
final class Wording {
    private static final Pattern TRANSITION =
            Pattern.compile("Invalid transition: (\\w+) -> (\\w+)\\..*", Pattern.DOTALL);

    private static final Pattern SECONDS =
            Pattern.compile("\\b(ttl|wait)_seconds must be from (\\d{1,9}) to (\\d{1,9}), not (-?\\d{1,9})");

    private static final Pattern MISSING = Pattern.compile("missing field (\\w+): ");

    private static final Map<String, String> WORDS = words();

    private static final Pattern NAMES = Pattern.compile("\\b(" + String.join("|", WORDS.keySet()) + ")\\b");

    private Wording() {}

    static String of(String refusal) {
        Matcher transition = TRANSITION.matcher(refusal);
        if (transition.matches()) {
            return transition(transition.group(1), transition.group(2));
        }
        String text = SECONDS.matcher(refusal)
                .replaceAll(found -> "--" + found.group(1) + " must be from " + span(found.group(2)) + " to "
                        + span(found.group(3)) + ", not " + span(found.group(4)));
        text = MISSING.matcher(text).replaceAll(found -> found.group(1) + " is missing: ");
        return NAMES.matcher(text).replaceAll(found -> Matcher.quoteReplacement(WORDS.getOrDefault(found.group(), "")));
    }

    private static String transition(String from, String to) {
        String now = "the review is " + from;
        if (from.equals(to)) {
            return now + " already";
        }
        return switch (to) {
            case "approved", "changes_requested" ->
                now
                        + (from.equals("pending")
                                ? ": claim it first (holdfast review claim ID)"
                                : ": it takes no verdict");
            case "claimed" -> now + ": only a pending one can be claimed";
            case "closed" -> now + ": only an approved one can be closed";
            case "pending" -> now + ": it takes no other round; propose the change as a review of its own";
            default -> now + ": that is not possible now";
        };
    }

    private static String span(String seconds) {
        return seconds.startsWith("-") ? seconds + "s" : Span.show(Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("claim_next_review", "'review next'");
        words.put("claim_next_work", "'work claim --next'");
        words.put("claim_next_step", "'task next'");
        words.put("claim_review", "'review claim'");
        words.put("claim_work", "'work claim'");
        words.put("create_review", "'review create'");
        words.put("create_work", "'work create'");
        words.put("update_work", "'work update'");
        words.put("close_work", "'work close'");
        words.put("release_review", "'review release'");
        words.put("withdraw_review", "'review withdraw'");
        words.put("submit_verdict", "'review verdict'");
        words.put("get_proposal", "'review show'");
        words.put("get_review_status", "'review show'");
        words.put("start_session", "'session start'");
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
        return words;
    }
}
