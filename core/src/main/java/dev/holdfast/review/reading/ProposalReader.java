package dev.holdfast.review.reading;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.Interdiff;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.finding.FindingTable;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what is under review, and the content of earlier rounds. */
public final class ProposalReader {
    /**
     * @param counterPatch the verdict with the round's last counter-patch
     * @param findings all of the review's findings, in their current state
     */
    public record Shown(
            Review review,
            Revision revision,
            Optional<Verdict> counterPatch,
            List<Verdict> verdicts,
            List<Finding> findings) {}

    /** @param text what changed since that content */
    public record Compared(Revision before, String text) {}

    private final ReviewChanges changes;

    public ProposalReader(ReviewChanges changes) {
        this.changes = changes;
    }

    /**
     * A round's last content; empty if there is no such review. Callers that show it to somebody must record that in
     * {@link Receipts}.
     *
     * @param round null: the current one
     * @throws RefusedException if the review has no such round
     */
    public Optional<Shown> proposal(String id, @Nullable Long round) {
        return changes.store().read(transaction -> {
            Optional<Review> review = ReviewTable.show(transaction, id);
            if (review.isEmpty()) {
                return Optional.empty();
            }
            long wanted = round == null ? review.get().round() : round;
            Pending<Optional<Revision>> revision = RevisionTable.lastOfRound(transaction, id, wanted);
            Pending<Optional<Verdict>> counterPatch = VerdictTable.counterPatch(transaction, id, wanted);
            Pending<List<Verdict>> verdicts = VerdictTable.all(transaction, id);
            Pending<List<Finding>> findings = FindingTable.shown(transaction, id);
            return Optional.of(new Shown(
                    review.get(),
                    orNoSuchRound(revision.get(), review.get(), wanted),
                    counterPatch.get(),
                    verdicts.get(),
                    findings.get()));
        });
    }

    /** A review's findings in the order they were raised, in their current state. */
    public List<Finding> findings(String id) {
        return changes.store()
                .read(transaction -> FindingTable.shown(transaction, id).get());
    }

    private static Revision round(Transaction transaction, Review review, long wanted) throws SQLException {
        return orNoSuchRound(
                RevisionTable.lastOfRound(transaction, review.id(), wanted).get(), review, wanted);
    }

    private static Revision orNoSuchRound(Optional<Revision> found, Review review, long wanted) {
        return found.orElseThrow(() -> new RefusedException(
                RefusalCode.NOT_FOUND,
                "Review " + review.id() + " has no round " + wanted + "; its last is " + review.round()));
    }

    /**
     * What changed from another round to the one shown, as a unified diff between the two contents; empty if they are
     * the same.
     *
     * @param against another round; or the one shown, to see what its counter-patches changed in what was proposed
     * @throws RefusedException if there is no such round, or nothing to compare
     */
    public Compared compare(Shown shown, long against) {
        Revision after = shown.revision();
        Revision before = changes.store()
                .read(transaction -> against == after.round()
                        ? RevisionTable.find(transaction, shown.review().id(), against, 1)
                                .orElseThrow()
                        : round(transaction, shown.review(), against));
        if (before.round() == after.round() && before.number() == after.number()) {
            throw new RefusedException(
                    RefusalCode.INVALID,
                    "Round " + against
                            + " has only one content, so there is nothing to compare it with; give against another"
                            + " round than " + against);
        }
        return new Compared(before, Interdiff.between(diff(before), diff(after)).text());
    }

    private static Diff diff(Revision revision) {
        String text = revision.diff();
        if (text != null && Diff.parse(text) instanceof Diff diff) {
            return diff;
        }
        throw new RefusedException(
                RefusalCode.BAD_STATE,
                "Round " + revision.round() + " cannot be compared: it has "
                        + (text == null ? "no diff" : "a diff that cannot be read"));
    }
}
