package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.command.Arguments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's remarks as typed: findings, suggestions, and decisions about earlier findings.
 *
 * @param findings in the form that the broker takes
 * @param waived ids, each with a reason
 */
record Remarks(List<Map<String, Object>> findings, List<String> resolved, List<Map<String, Object>> waived) {
    private static final Pattern FINDING = Pattern.compile(
            "(.+?):(?:(\\d{1,9})-)?(\\d{1,9})(?::(old|new))?:(must_fix|should_fix|note): ?(.+)", Pattern.DOTALL);

    private static final Pattern SUGGESTION = Pattern.compile("(.+?):(?:\\d{1,9}-)?(\\d{1,9})=(.*)", Pattern.DOTALL);
    private static final Pattern WAIVER = Pattern.compile("(\\S+?)[=:] ?(.+)", Pattern.DOTALL);

    static final String FINDING_FORM = "PATH:LINE:SEVERITY:MESSAGE";

    static Remarks of(Arguments given) {
        Remarks remarks = new Remarks(new ArrayList<>(), new ArrayList<>(given.all("--resolve")), new ArrayList<>());
        given.all("--finding").forEach(text -> remarks.raise("--finding", text));
        given.all("--suggest").forEach(remarks::suggest);
        given.all("--waive").forEach(text -> remarks.waive("--waive", text));
        return remarks;
    }

    boolean isEmpty() {
        return findings.isEmpty() && resolved.isEmpty() && waived.isEmpty();
    }

    /** @param where its source, for the error message */
    void raise(String where, String text) {
        Matcher matcher = FINDING.matcher(text);
        if (!matcher.matches()) {
            throw Failure.invalid(where + " must be " + FINDING_FORM + " with must_fix, should_fix or note, such as"
                    + " 'src/a.py:12:must_fix:total may be null', not '" + text + "'");
        }
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("path", matcher.group(1));
        finding.put("line", Long.valueOf(matcher.group(3)));
        if (matcher.group(2) != null) {
            finding.put("start_line", Long.valueOf(matcher.group(2)));
        }
        if (matcher.group(4) != null) {
            finding.put("side", matcher.group(4));
        }
        finding.put("severity", matcher.group(5));
        finding.put("message", matcher.group(6));
        findings.add(finding);
    }

    private void suggest(String text) {
        Matcher matcher = SUGGESTION.matcher(text);
        if (!matcher.matches()) {
            throw Failure.invalid("--suggest must be PATH:LINE=TEXT, not '" + text + "'");
        }
        Map<String, Object> finding = findings.stream()
                .filter(found -> matcher.group(1).equals(found.get("path"))
                        && Long.valueOf(matcher.group(2)).equals(found.get("line")))
                .findFirst()
                .orElseThrow(() -> Failure.invalid("--suggest needs a --finding at " + matcher.group(1) + ":"
                        + matcher.group(2) + ", which says what is wrong there"));
        finding.put("suggestion", matcher.group(3));
    }

    /** Adds a suggestion to the last finding. */
    void suggestForLast(String text) {
        findings.getLast().merge("suggestion", text, (before, more) -> before + "\n" + more);
    }

    void waive(String where, String text) {
        Matcher matcher = WAIVER.matcher(text);
        if (!matcher.matches()) {
            throw Failure.invalid(
                    where + " must be FINDING=REASON, such as 'f2=fixed in another change', not '" + text + "'");
        }
        waived.add(Map.of("id", matcher.group(1), "reason", matcher.group(2)));
    }

    /** The reason of a verdict that consists only of findings. */
    @Nullable
    String asReason() {
        if (findings.isEmpty()) {
            return null;
        }
        Map<String, Object> first = findings.getFirst();
        return first.get("path") + ":" + first.get("line") + ": " + first.get("message")
                + (findings.size() == 1 ? "" : " (and " + (findings.size() - 1) + " more)");
    }

    Input into(Input input) {
        return input.with("findings", findings.isEmpty() ? null : findings)
                .with("resolved", resolved.isEmpty() ? null : resolved)
                .with("waived", waived.isEmpty() ? null : waived);
    }
}
