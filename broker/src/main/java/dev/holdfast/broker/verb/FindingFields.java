package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.claim.Text;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.finding.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Findings as reviewers give them and as everybody is told of them. */
final class FindingFields {
    private static final Field SIDE = Field.text("side", ReviewFields.WORD, "of the new (default) or the old content")
            .oneOf(List.of("new", "old"));

    private static final Field SEVERITY = Field.text(
                    "severity", ReviewFields.WORD, "must_fix blocks every approval until it is resolved or waived")
            .oneOf(Severity.words())
            .must();

    private static final Field ID = Field.text("id", 20, "as f1").must();

    /** What a verdict may say of findings. */
    static final List<Field> GIVEN = List.of(
            Field.objects(
                            "findings",
                            "what you found, each at a line that the diff shows",
                            List.of(
                                    Field.text("path", Remarks.LONGEST_PATH, "the file")
                                            .must(),
                                    Field.integer("line", 1L, (long) Integer.MAX_VALUE, "its line")
                                            .must(),
                                    SIDE,
                                    SEVERITY,
                                    Field.text("message", Remarks.LONGEST_MESSAGE, "what is wrong")
                                            .must(),
                                    Field.text("suggestion", Remarks.LONGEST_SUGGESTION, "what to write instead")))
                    .atMost(Remarks.MOST_AT_ONCE)
                    .example(List.of(JsonObject.of(
                            "path",
                            "src/cart.py",
                            "line",
                            12,
                            "severity",
                            "must_fix",
                            "message",
                            "total may be null"))),
            Field.texts("resolved", 20, "ids of your own findings that are fixed, such as f1"),
            Field.objects(
                            "waived",
                            "other reviewers' findings that should not block approval, each with a reason",
                            List.of(
                                    ID,
                                    Field.text("reason", Remarks.LONGEST_MESSAGE, "why")
                                            .must()))
                    .atMost(Remarks.MOST_AT_ONCE));

    private static final List<Field> FINDING = List.of(
            ID,
            Field.text("status", 10, "open, outdated (its lines changed: look again), resolved or waived")
                    .must(),
            Field.text("severity", 10, "must_fix, should_fix or note").must(),
            Field.text("path", Remarks.LONGEST_PATH, "the file").must(),
            Field.integer("line", 1L, null, "in the current content if open, else in its round's")
                    .must(),
            Field.text("side", 3, "new or old").must(),
            Field.text("text", Text.LONGEST_NOTE, "the line that it was raised at")
                    .must(),
            text("message").must(),
            text("suggestion"),
            Field.integer("round", 1L, null, "when it was raised").must(),
            text("raised_by").orNull(),
            Field.time("created_at", "when it was raised").must(),
            text("settled_by"),
            Field.text("settled_reason", Text.LONGEST_NOTE, "why it was waived"));

    /** All findings of a review. */
    static final Field LIST = Field.objects("findings", "what reviewers found", FINDING);

    private FindingFields() {}

    static Remarks given(Arguments given) {
        return new Remarks(
                given.objects("findings").stream().map(FindingFields::raised).toList(),
                given.texts("resolved"),
                given.objects("waived").stream()
                        .map(waiver -> new Remarks.Waiver(waiver.text("id"), waiver.text("reason")))
                        .toList());
    }

    private static Remarks.Raised raised(Arguments finding) {
        return new Remarks.Raised(
                finding.text("path"),
                "old".equals(finding.textOrNull("side")) ? Side.OLD : Side.NEW,
                (int) finding.number("line", 0),
                Severity.of(finding.text("severity")),
                finding.text("message"),
                finding.textOrNull("suggestion"));
    }

    static List<Map<String, @Nullable Object>> told(List<Finding> findings) {
        return findings.stream().map(FindingFields::told).toList();
    }

    private static Map<String, @Nullable Object> told(Finding finding) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", finding.id());
        json.put("status", finding.state().toString());
        json.put("severity", finding.severity().toString());
        json.put("path", finding.path());
        json.put("line", finding.line());
        json.put("side", finding.side().name().toLowerCase(Locale.ROOT));
        json.put("text", finding.excerpt());
        json.put("message", finding.message());
        ClaimVerbs.putIfGiven(json, "suggestion", finding.suggestion());
        json.put("round", finding.round());
        json.put("raised_by", finding.raisedBy());
        json.put("created_at", ClaimJson.time(finding.raisedAt()));
        finding.settled().ifPresent(settled -> {
            ClaimVerbs.putIfGiven(json, "settled_by", settled.by());
            ClaimVerbs.putIfGiven(json, "settled_reason", settled.reason());
        });
        return json;
    }
}
