package dev.holdfast.review.approval;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Approvals.Decision.Overridden;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.PositionDifference;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewerIdentity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether content may go in: what a gate asks before a commit or a push.
 *
 * <ol>
 *   <li>Content is identified by its revision, the hash of its diff. The diff's name and the order of its files do not
 *       matter. A changed line makes different content, and so does a different position: other line numbers, or
 *       another version of the file that they refer to.
 *   <li>Content is approved if a review of the same project currently has exactly this content, was approved with it,
 *       and has not been withdrawn. Withdrawing an approved review voids the approval.
 *   <li>The same change at another position may merely have moved, because other lines of its files changed. The diffs
 *       alone cannot show that, and the proposer's word is not trusted. The gate can tell from the repository's
 *       history: it is given the file versions that were reviewed, and asks again, naming the review that the change
 *       moved from.
 *   <li>An approval from before revisions included positions ({@code r1:}) counts at any position, until the same
 *       change is judged again in the project at its position.
 *   <li>Content also passes if somebody has overridden the gate for it, with a reason; that is an event like any other.
 * </ol>
 */
public record Approvals(ReviewChanges changes, ReviewLimits limits, Independence independence, boolean othersExist) {
    /** Whether the content may go in. */
    public sealed interface Decision {
        String revision();

        /**
         * @param knownBy how the reviewer was identified: token, session, name or nothing; null if the approval is old
         *     or imported
         * @param engine what the reviewer ran; null: unknown
         * @param readAll whether the reviewer had been shown all of it; null if unknown, because the approval is old or
         *     imported
         */
        record Approved(
                String revision,
                String reviewId,
                @Nullable String reviewer,
                @Nullable String knownBy,
                @Nullable String engine,
                @Nullable Boolean readAll,
                Instant at)
                implements Decision {}

        /** Somebody opened the gate for this content by hand. */
        record Overridden(
                String revision,
                String project,
                String by,
                @Nullable String knownBy,
                String reason,
                Instant at) implements Decision {}

        /**
         * @param review the review that explains it, or the closest one; null: none
         * @param elsewhere where that review has the same change, if only the position differs
         * @param movable approved reviews of the same change at other positions
         */
        record NotApproved(
                String revision,
                Why why,
                @Nullable Review review,
                @Nullable PositionDifference elsewhere,
                List<Moved> movable)
                implements Decision {}
    }

    /** Why content is not approved; reasons that time may resolve come first. */
    public enum Why {
        /** It is waiting for a reviewer, or has one. */
        PENDING,
        CHANGES_REQUESTED,
        /** It was approved, but the review has since been withdrawn. */
        VOIDED,
        /** Its review has moved on to other content. */
        REVISED,
        /** Its review ended without an approval. */
        ENDED,
        /** A review has the same change, but for other lines or another version of a file. */
        OTHER_PLACE,
        /** It is approved, but in another project. */
        OTHER_PROJECT,
        /** It is new; another review changes the same files. */
        OTHER_CONTENT,
        NEVER_REVIEWED
    }

    /** An approved review that the change may have moved from, and the file versions that both are based on. */
    public record Moved(String reviewId, List<BaseVersions.Pair> files) {}

    private static final int MAX_MOVED = 10;

    public Approvals(ReviewChanges changes, ReviewLimits limits, Independence independence) {
        this(changes, limits, independence, true);
    }

    /** The same for callers for whom there is no project but the one they ask about. */
    public Approvals inOneProject() {
        return new Approvals(changes, limits, independence, false);
    }

    public Decision checkDiff(@Nullable String project, String diff) {
        return checkDiff(project, diff, null, BaseVersions.DIGITS);
    }

    /**
     * As above, for callers that have the repository.
     *
     * @param movedFrom the review whose approved change this is, moved, as the caller has determined; null: not checked
     * @param digits how many digits of an object id are unique in the repository
     */
    public Decision checkDiff(@Nullable String project, String diff, @Nullable String movedFrom, int digits) {
        return check(ApprovalQuery.of(project, read(diff), movedFrom, digits));
    }

    /** @param revision in the form that proposals and verdicts have */
    public Decision checkRevision(@Nullable String project, String revision) {
        return check(ApprovalQuery.of(project, revision));
    }

    /**
     * Lets this content pass; the first override of given content stands. Neither its proposer nor any agent may do
     * this.
     */
    public Overridden overrideDiff(@Nullable String project, String diff, String by, String reason, Caller caller) {
        return override(ApprovalQuery.of(project, read(diff), null, BaseVersions.DIGITS), by, reason, caller);
    }

    public Overridden overrideRevision(
            @Nullable String project, String revision, String by, String reason, Caller caller) {
        return override(ApprovalQuery.of(project, revision), by, reason, caller);
    }

    private Diff read(String diff) {
        limits.diff("diff", diff);
        return switch (Diff.parse(diff)) {
            case Diff read -> read;
            case DiffProblem unreadable ->
                throw new RefusedException(RefusalCode.INVALID, "the diff cannot be read: " + unreadable);
        };
    }

    private Decision check(ApprovalQuery asked) {
        record Found(
                @Nullable Decision passes,
                List<ApprovalTable.Approval> elsewhere,
                @Nullable NotApprovedReason why) {}
        Found found = changes.store().read(transaction -> {
            List<ApprovalTable.Approval> approvals = ApprovalTable.approvals(transaction, asked);
            Optional<Decision> passes = approvals.stream()
                    .filter(asked::isCoveredBy)
                    .findFirst()
                    .map(approval -> approved(asked, approval));
            if (passes.isEmpty()) {
                passes = ApprovalTable.override(transaction, asked).map(Decision.class::cast);
            }
            return passes.isPresent()
                    ? new Found(passes.get(), List.of(), null)
                    : new Found(null, approvals, NotApprovedReason.of(transaction, asked, othersExist));
        });
        return found.passes != null
                ? found.passes
                : Objects.requireNonNull(found.why).answer(asked, movable(asked, found.elsewhere));
    }

    private static Decision approved(ApprovalQuery asked, ApprovalTable.Approval by) {
        return new Decision.Approved(
                asked.revision(), by.reviewId(), by.reviewer(), by.knownBy(), by.engine(), by.readAll(), by.at());
    }

    private static List<Moved> movable(ApprovalQuery asked, List<ApprovalTable.Approval> approvals) {
        if (asked.diff() == null) {
            return List.of();
        }
        BaseVersions now = BaseVersions.of(asked.diff());
        Map<String, Moved> movable = new LinkedHashMap<>();
        for (ApprovalTable.Approval approval : approvals) {
            String bases = approval.bases();
            if (bases != null && asked.mayHaveMovedFrom(bases) && movable.size() < MAX_MOVED) {
                movable.putIfAbsent(
                        approval.reviewId(),
                        new Moved(approval.reviewId(), ApprovalQuery.read(bases).beside(now)));
            }
        }
        return List.copyOf(movable.values());
    }

    private Overridden override(ApprovalQuery asked, String by, String reason, Caller caller) {
        String who = ReviewLimits.required("by", by).strip();
        String why = ReviewLimits.required("reason", reason).strip();
        limits.word("by", who);
        limits.text("reason", why);
        return changes.store().write(transaction -> {
            ReviewerIdentity judge = independence.judge(transaction, caller, who);
            independence.checkMayOverride(transaction, asked, judge);
            Optional<Overridden> before = ApprovalTable.override(transaction, asked);
            if (before.isPresent()) {
                return before.get();
            }
            if (ApprovalTable.addOverride(transaction, asked.project(), asked.revision(), who, why, judge)) {
                changes.transactional()
                        .appendEvent(
                                transaction,
                                Review.resource(asked.revision()),
                                null,
                                ReviewChanges.event(
                                        AuditEvent.OVERRIDDEN,
                                        who,
                                        null,
                                        null,
                                        Metadata.of(
                                                "reason",
                                                why,
                                                "project",
                                                asked.project(),
                                                "revision",
                                                asked.revision(),
                                                "paths",
                                                asked.paths().stream()
                                                        .sorted()
                                                        .limit(100)
                                                        .toList())));
            }
            return ApprovalTable.override(transaction, asked).orElseThrow();
        });
    }
}
