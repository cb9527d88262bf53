package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.finding.Severity;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a verdict may say about findings. */
record RemarkArguments(
        @Field(value = "what you found, each at a line that the diff shows", max = Remarks.MAX_AT_ONCE, example = """
                        [{"path": "src/cart.py", "line": 12, "severity": "must_fix", "message": "total may be null"}]""")
        List<FindingGiven> findings,

        @Field(value = "ids of your own findings that are fixed, such as f1", longest = 20)
        Set<String> resolved,

        @Field(
                value = "other reviewers' findings that should not block approval, each with a reason",
                max = Remarks.MAX_AT_ONCE)
        List<WaiverGiven> waived) {
    record FindingGiven(
            @Field(value = "the file", longest = Remarks.LONGEST_PATH)
            String path,

            @Field(value = "its line; 0: the whole file", min = 0, max = Integer.MAX_VALUE)
            int line,

            @Field(value = "the first line, if it is about several up to line", min = 1, max = Integer.MAX_VALUE)
            @Nullable
            Integer startLine,

            @Field(
                    value = "of the new (default) or the old content",
                    words = {"new", "old"})
            @Nullable
            String side,

            @Field("must_fix blocks every approval until it is resolved or waived")
            Severity severity,

            @Field(value = "what is wrong", longest = Remarks.LONGEST_MESSAGE)
            String message,

            @Field(value = "what to write instead", longest = Remarks.LONGEST_SUGGESTION) @Nullable
            String suggestion) {
        Remarks.Raised raised() {
            return new Remarks.Raised(
                    path,
                    "old".equals(side) ? Side.OLD : Side.NEW,
                    startLine == null ? line : startLine,
                    line,
                    severity,
                    message,
                    suggestion);
        }
    }

    record WaiverGiven(
            @Field(value = "as f1", longest = 20) String id,

            @Field(value = "why", longest = Remarks.LONGEST_MESSAGE)
            String reason) {}

    Remarks remarks() {
        return new Remarks(
                findings.stream().map(FindingGiven::raised).toList(),
                resolved,
                waived.stream()
                        .map(waiver -> new Remarks.Waiver(waiver.id(), waiver.reason()))
                        .toList());
    }
}
