package dev.holdfast.review.verdict;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.verdict.Verdicts.Submission;
import java.util.Map;
import java.util.Optional;

/** The checks of a verdict before the review is locked: its wording, and whether its counter-patch applies. */
record VerdictCheck(ReviewChanges changes, DiffCheck check, ReviewLimits limits) {
    void words(Submission given) {
        boolean blank = given.reason() == null || given.reason().isEmpty();
        boolean asksForChanges = given.verdict().equals(Verdict.CHANGES_REQUESTED);
        if (blank && (asksForChanges || given.comment())) {
            throw new RefusedException(
                    RefusalCode.INVALID, "Notes (reason) required for '" + given.verdict() + "' verdict.");
        }
        if (given.counterPatch() != null && !asksForChanges && !given.comment()) {
            throw new RefusedException(
                    RefusalCode.INVALID, "Counter-patches only allowed with changes_requested or comment verdicts");
        }
        limits.text("reason", given.reason());
        limits.diff("counter_patch", given.counterPatch());
        given.remarks().checked();
        if (given.verdict().equals(Verdict.APPROVED)) {
            given.remarks().checkFitsApproval();
        }
    }

    /** The content that its counter-patch would make; empty if it has none. */
    Optional<Content> counterPatch(String id, Submission given) {
        String patch = given.counterPatch();
        if (patch == null) {
            return Optional.empty();
        }
        record Judged(Review review, Revision revision) {}
        Judged judged = changes.store()
                .read(transaction -> new Judged(
                        ReviewTable.show(transaction, id).orElseThrow(() -> ReviewChanges.notFound(id)),
                        RevisionTable.current(transaction, id)));
        Content content = judged.revision().content().withDiff(patch);
        DiffCheck.Finding found = content.problem()
                .<DiffCheck.Finding>map(DiffCheck.Conflicts::new)
                .orElseGet(() -> check.onTop(
                        new DiffCheck.Request(
                                judged.review().project(), judged.revision().base(), content.diffText()),
                        judged.revision().diff()));
        found.problem().ifPresent(problem -> {
            throw new RefusedException(
                    RefusalCode.INVALID, "Counter-patch diff validation failed", Map.of("validation_error", problem));
        });
        return Optional.of(
                found instanceof DiffCheck.Fits(String whole) && whole != null ? content.withDiff(whole) : content);
    }
}
