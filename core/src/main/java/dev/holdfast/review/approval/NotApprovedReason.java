package dev.holdfast.review.approval;

import dev.holdfast.review.approval.Approvals.Decision.NotApproved;
import dev.holdfast.review.approval.Approvals.Moved;
import dev.holdfast.review.approval.Approvals.Why;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.PositionDifference;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Why content is not approved. Of all reviews that have or had it, the most promising one explains it; failing that,
 * one with the same change for other lines; failing that, the closest one.
 *
 * @param review null: there is none
 * @param diff that review's diff, if it has the same change for other lines
 */
record NotApprovedReason(
        Why why, @Nullable Review review, @Nullable String diff) {
    /** @param othersExist whether reviews of other projects count */
    static NotApprovedReason of(Transaction transaction, ApprovalQuery asked, boolean othersExist) throws SQLException {
        Optional<NotApprovedReason> best = Optional.empty();
        for (ApprovalTable.Same same : ApprovalTable.same(transaction, asked)) {
            if (!othersExist && !same.project().equals(asked.project())) {
                continue;
            }
            Optional<NotApprovedReason> found = of(transaction, asked, same);
            if (best.isEmpty() || found.filter(best.get()::isWorseThan).isPresent()) {
                best = found;
            }
        }
        return best.isPresent() ? best.get() : nearest(transaction, asked);
    }

    private boolean isWorseThan(NotApprovedReason other) {
        return why.compareTo(other.why) > 0;
    }

    private static Optional<NotApprovedReason> of(Transaction transaction, ApprovalQuery asked, ApprovalTable.Same same)
            throws SQLException {
        boolean here = same.project().equals(asked.project());
        boolean matches = asked.isSame(same.revision(), same.bases());
        if (matches ? !here && !same.approved() : !here || !same.current()) {
            return Optional.empty();
        }
        Review review = ReviewTable.show(transaction, same.reviewId()).orElseThrow();
        if (matches) {
            return Optional.of(new NotApprovedReason(here ? why(review, same) : Why.OTHER_PROJECT, review, null));
        }
        return review.status() == ReviewStatus.WITHDRAWN
                ? Optional.empty()
                : Optional.of(new NotApprovedReason(
                        Why.OTHER_PLACE,
                        review,
                        RevisionTable.current(transaction, review.id()).diff()));
    }

    private static Why why(Review review, ApprovalTable.Same same) {
        if (!same.current()) {
            return Why.REVISED;
        }
        return switch (review.status()) {
            case PENDING, CLAIMED, IN_REVIEW -> Why.PENDING;
            case CHANGES_REQUESTED -> Why.CHANGES_REQUESTED;
            case WITHDRAWN -> same.judgedApproved() ? Why.VOIDED : Why.ENDED;
            case APPROVED, CLOSED -> Why.ENDED; // imported: closed without a verdict on this content
        };
    }

    /** The review that shares the most files with the content; if several do, the newest. */
    private static NotApprovedReason nearest(Transaction transaction, ApprovalQuery asked) throws SQLException {
        record Near(String reviewId, double share) {}
        List<ApprovalTable.Recent> newestFirst = ApprovalTable.recent(transaction, asked.project());
        Optional<Near> nearest = newestFirst.stream()
                .map(recent -> new Near(recent.reviewId(), share(paths(recent.affectedFiles()), asked.paths())))
                .filter(near -> near.share > 0)
                .sorted(Comparator.comparingDouble(Near::share).reversed())
                .findFirst();
        return nearest.isEmpty()
                ? new NotApprovedReason(Why.NEVER_REVIEWED, null, null)
                : new NotApprovedReason(
                        Why.OTHER_CONTENT,
                        ReviewTable.show(transaction, nearest.get().reviewId()).orElseThrow(),
                        null);
    }

    private static double share(Set<String> some, Set<String> others) {
        Set<String> both = new HashSet<>(some);
        both.retainAll(others);
        int all = some.size() + others.size() - both.size();
        return all == 0 ? 0 : (double) both.size() / all;
    }

    private static Set<String> paths(@Nullable String affectedFiles) {
        Set<String> paths = new HashSet<>();
        if (affectedFiles != null) {
            for (JsonNode file : JsonMapper.shared().readTree(affectedFiles)) {
                paths.add(file.path("path").asString());
            }
        }
        return paths;
    }

    /** Parses diffs, so call it outside the transaction. */
    NotApproved answer(ApprovalQuery asked, List<Moved> movable) {
        PositionDifference elsewhere = diff != null && asked.diff() != null && Diff.parse(diff) instanceof Diff reviewed
                ? PositionDifference.of(reviewed, asked.diff()).orElse(null)
                : null;
        return new NotApproved(asked.revision(), why, review, elsewhere, movable);
    }
}
