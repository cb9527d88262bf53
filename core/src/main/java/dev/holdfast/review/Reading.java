package dev.holdfast.review;

import dev.holdfast.claim.Claim;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reading what is up for review, and what was in earlier rounds. */
public final class Reading {
    /** @param counterPatch the verdict that brought the round's last counter-patch */
    public record Shown(Review review, Revision revision, Optional<Verdict> counterPatch, List<Verdict> verdicts) {}

    private final Changes changes;

    Reading(Changes changes) {
        this.changes = changes;
    }

    /**
     * A round's last content; empty when there is no such review.
     *
     * @param round null: the current one
     * @param caller if it holds the review, it is noted that it has been shown the current content
     * @throws RefusedException when the review has no such round
     */
    public Optional<Shown> proposal(String id, @Nullable Long round, @Nullable String caller) {
        Optional<Shown> shown = changes.store().read(transaction -> {
            Optional<Review> review = ReviewTable.show(transaction, id);
            if (review.isEmpty()) {
                return Optional.empty();
            }
            long wanted = round == null ? review.get().round() : round;
            Revision revision = RevisionTable.lastOfRound(transaction, id, wanted)
                    .orElseThrow(() -> new RefusedException(
                            "not_found",
                            "Review " + id + " has no round " + wanted + "; its last is "
                                    + review.get().round()));
            return Optional.of(new Shown(
                    review.get(),
                    revision,
                    VerdictTable.counterPatch(transaction, id, wanted),
                    VerdictTable.all(transaction, id)));
        });
        if (shown.isPresent()
                && caller != null
                && caller.equals(shown.get().review().claimedBy())) {
            served(id, caller, shown.get().revision().revision());
        }
        return shown;
    }

    /** Whoever holds the review may judge this content from now on. */
    private void served(String id, String caller, String revision) {
        boolean news = changes.store()
                .read(transaction -> ReviewTable.find(transaction, id))
                .filter(review -> review.unservedGeneration != null)
                .isPresent();
        if (news) {
            changes.on(id, locked -> {
                Claim claim = locked.standing().claim();
                ReviewRow review = locked.review();
                if (claim != null && claim.holder().equals(caller) && review.revision.equals(revision)) {
                    review.unservedGeneration = null;
                    locked.save();
                }
                return review.revision;
            });
        }
    }
}
