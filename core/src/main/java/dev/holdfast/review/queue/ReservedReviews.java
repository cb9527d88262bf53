package dev.holdfast.review.queue;

import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Reviews reserved for the reviewer that knows them, until it is clear that it will not come back for them. */
public final class ReservedReviews {
    private static final Sql ALL = Sql.of(
            "SELECT id, reserved_for, project_key FROM reviews WHERE reserved_for IS NOT NULL AND status = 'pending'");

    private final ReviewChanges changes;
    private final Reviewers reviewers;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(ReservedReviews.class), "offer review");

    public ReservedReviews(ReviewChanges changes, Reviewers reviewers) {
        this.changes = changes;
        this.reviewers = reviewers;
    }

    private record Row(String id, String reviewer, String project) {}

    /** @param folder the only folder in which its reviewer may claim anything; null: any */
    private record Kept(
            Row review, boolean comesBack, @Nullable String folder) {}

    /** Opens to everyone the reviews reserved for reviewers who will not come back; returns how many. */
    public int offerAbandoned() {
        int offered = 0;
        for (Kept one : kept()) {
            boolean elsewhere = isElsewhere(one);
            if (elsewhere || !one.comesBack()) {
                bad.attempt(one.review().id(), () -> offer(one.review(), elsewhere));
                offered++;
            }
        }
        return offered;
    }

    private List<Kept> kept() {
        return changes.store().read(transaction -> {
            List<Kept> kept = new ArrayList<>();
            for (Row row : transaction.list(
                    ALL,
                    _ -> {},
                    found -> new Row(found.text("id"), found.text("reserved_for"), found.text("project_key")))) {
                Optional<Reviewers.Managed> managed = reviewers.managed(transaction, row.reviewer());
                kept.add(new Kept(
                        row,
                        reviewers.comesBack(transaction, row.reviewer()),
                        managed.map(Reviewers.Managed::folder).orElse(null)));
            }
            return kept;
        });
    }

    /** Whether its project has moved out of its reviewer's scope. */
    private boolean isElsewhere(Kept one) {
        return one.folder() != null
                && !one.folder().equals(reviewers.folder(one.review().project()));
    }

    private boolean offer(Row kept, boolean elsewhere) {
        return changes.on(kept.id(), locked -> {
            boolean still = kept.reviewer().equals(locked.review().reservedFor)
                    && locked.status() == ReviewStatus.PENDING
                    && (elsewhere || !reviewers.comesBack(locked.transaction(), kept.reviewer()));
            if (still) {
                detach(locked, kept.reviewer());
            }
            return still;
        });
    }

    private void detach(ReviewChanges.Locked locked, String reserved) throws SQLException {
        locked.review().reservedFor = null;
        locked.save();
        changes.transactional()
                .reopen(
                        locked.transaction(),
                        locked.resource(),
                        false,
                        ReviewChanges.event(
                                "review_detached",
                                "broker",
                                ReviewStatus.PENDING,
                                ReviewStatus.PENDING,
                                Metadata.of("old_reviewer", reserved)));
    }
}
