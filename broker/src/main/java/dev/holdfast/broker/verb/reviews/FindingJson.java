package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.claim.Text;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.finding.Remarks;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A finding as callers see it. */
record FindingJson(
        @Field(value = "as f1", longest = 20) String id,

        @Field(value = "open, outdated (its lines changed: look again), resolved or waived", longest = 10)
        String status,

        @Field(value = "must_fix, should_fix or note", longest = 10)
        String severity,

        @Field(value = "the file", longest = Remarks.LONGEST_PATH)
        String path,

        @Field(value = "in the current content if open, else in its round's; 0: the whole file", min = 0)
        int line,

        @Field(value = "the first of several lines that end there; absent: it is about one", min = 1) @Nullable
        Integer startLine,

        @Field(value = "new or old", longest = 3) String side,

        @Field(value = "the line that it was raised at", longest = Text.LONGEST_NOTE)
        String text,

        String message,
        @Nullable String suggestion,
        @Field(value = "when it was raised", min = 1) int round,
        @Field(orNull = true) @Nullable String raisedBy,
        @Field("when it was raised") Instant createdAt,
        @Nullable String settledBy,

        @Field(value = "why it was waived", longest = Text.LONGEST_NOTE) @Nullable
        String settledReason) {
    static List<FindingJson> of(List<Finding> findings) {
        return findings.stream().map(FindingJson::of).toList();
    }

    private static FindingJson of(Finding finding) {
        Optional<Finding.Settled> settled = finding.settled();
        return new FindingJson(
                finding.id(),
                finding.state().toString(),
                finding.severity().toString(),
                finding.path(),
                finding.line(),
                finding.lines() == 1 ? null : finding.start(),
                finding.side().name().toLowerCase(Locale.ROOT),
                finding.excerpt(),
                finding.message(),
                finding.suggestion(),
                finding.round(),
                finding.raisedBy(),
                finding.raisedAt(),
                settled.map(Finding.Settled::by).orElse(null),
                settled.map(Finding.Settled::reason).orElse(null));
    }
}
