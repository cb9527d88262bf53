package dev.holdfast.review.verdict;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.reading.ReadProgress;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.verdict.Verdicts.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events for verdicts and comments. */
final class VerdictEvents {
    /** What a verdict changed: from which status to which, by whom, and how much of the change they had read. */
    record Outcome(ReviewStatus from, ReviewStatus to, ReviewerIdentity judge, ReadProgress read) {}

    private VerdictEvents() {}

    static DomainEvent comment(
            ReviewChanges.Locked locked, Submission given, boolean hasCounterPatch, List<String> findings) {
        return ReviewChanges.event(
                "verdict_comment",
                "reviewer",
                locked.status(),
                locked.status(),
                withFindings(
                        given,
                        findings,
                        Metadata.of(
                                "reason",
                                given.reason(),
                                "has_counter_patch",
                                hasCounterPatch,
                                "reviewer_id",
                                Verdicts.speaker(locked, given),
                                "claim_generation",
                                locked.claimState().generation())));
    }

    static DomainEvent judged(
            ReviewChanges.Locked locked,
            Submission given,
            Outcome outcome,
            boolean hasCounterPatch,
            List<String> findings) {
        return ReviewChanges.event(
                "verdict_submitted",
                "reviewer",
                outcome.from(),
                outcome.to(),
                withFindings(
                        given,
                        findings,
                        Metadata.of(
                                "verdict",
                                given.verdict(),
                                "reason",
                                given.reason(),
                                "has_counter_patch",
                                hasCounterPatch,
                                "reviewer_id",
                                locked.review().verdictBy,
                                "known_by",
                                outcome.judge().known().toString(),
                                "engine",
                                outcome.judge().engine(),
                                "claim_generation",
                                locked.claimState().generation(),
                                "revision",
                                locked.review().revision,
                                "read_all",
                                outcome.read().all())));
    }

    /**
     * Adds what a reader of the history wants to know about findings; without findings, the event keeps its old form.
     */
    private static Map<String, @Nullable Object> withFindings(
            Submission given, List<String> ids, Map<String, @Nullable Object> metadata) {
        List<Map<String, @Nullable Object>> event = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Remarks.Raised raised = given.remarks().raised().get(i);
            event.add(Metadata.of(
                    "id",
                    ids.get(i),
                    "severity",
                    raised.severity().toString(),
                    "path",
                    raised.path(),
                    "line",
                    raised.line()));
        }
        if (!event.isEmpty()) {
            metadata.put("findings", event);
        }
        return metadata;
    }
}
