package dev.holdfast.review.approval;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Approvals.Decision.Overridden;
import dev.holdfast.review.diff.Bases;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.Elsewhere;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Changes;
import dev.holdfast.review.record.Judge;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewLimits;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a content may go in: what a gate asks before a commit or a push.
 *
 * <ol>
 *   <li>A content is known by its revision, the hash of its diff. Whatever the diff is called and in which order its files
 *       come does not matter; a changed line makes another content, and so does another place: other lines, or another
 *       version of the file that they count in.
 *   <li>It is approved when a review of the same project has this very content now, was approved on it, and was not
 *       withdrawn since. Withdrawing an approved review voids the approval.
 *   <li>A change that says the same at another place may only have moved, because other lines of its files have changed.
 *       Nobody can tell that from the texts, and what a proposer says about it is not believed. Whoever asks can tell it from
 *       the history of the repository, gets for this the versions that were reviewed, and asks again with the review that it
 *       was moved from.
 *   <li>What was approved before revisions knew a place ({@code r1:}) counts at any, until somebody in the project has judged
 *       the same again, at its place.
 *   <li>It also passes when somebody has overridden the gate for it, with a reason; that is an event like any other.
 * </ol>
 */
public final class Approvals {
    /** May it go in? */
    public sealed interface Decision {
        String revision();

        /**
         * @param knownBy by what the reviewer was known: token, session, name or nothing; null: it is old or imported
         * @param engine what the reviewer was; null: not known
         * @param readAll whether the reviewer had been shown all of it; null: nobody knows, it is old or imported
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

        /** The gate was opened by hand for this content. */
        record Overridden(
                String revision,
                String project,
                String by,
                @Nullable String knownBy,
                String reason,
                Instant at) implements Decision {}

        /**
         * @param review the one that explains it, or is nearest; null: there is none
         * @param elsewhere where that review says the same, if the place is all that differs
         * @param movable what is approved and says the same, at other places
         */
        record NotApproved(
                String revision,
                Why why,
                @Nullable Review review,
                @Nullable Elsewhere elsewhere,
                List<Moved> movable) implements Decision {}
    }

    /** Why a content is not approved; what can still be waited for comes first. */
    public enum Why {
        /** It waits for a reviewer, or has one. */
        PENDING,
        CHANGES_REQUESTED,
        /** It was approved, and the review was withdrawn since. */
        VOIDED,
        /** Its review has gone on to another content. */
        REVISED,
        /** Its review ended without an approval. */
        ENDED,
        /** A review says the same of other lines, or of another version of a file. */
        OTHER_PLACE,
        /** It is approved, but for another project. */
        OTHER_PROJECT,
        /** It is new; a review of other content of the same files is near. */
        OTHER_CONTENT,
        NEVER_REVIEWED
    }

    /** An approved review from whose place a content may have moved, and the versions that both are made from. */
    public record Moved(String reviewId, List<Bases.Pair> files) {}

    private static final int MOST_TOLD = 10;

    private final Changes changes;
    private final ReviewLimits limits;
    private final Independence independence;

    public Approvals(Changes changes, ReviewLimits limits, Independence independence) {
        this.changes = changes;
        this.limits = limits;
        this.independence = independence;
    }

    public Decision checkDiff(@Nullable String project, String diff) {
        return checkDiff(project, diff, null, Bases.DIGITS);
    }

    /**
     * The same, for those who have the repository.
     *
     * @param movedFrom the review whose approved change this is, moved, as whoever asks has found; null: not looked for
     * @param digits so many digits of the id of a version tell it from everything else in the repository
     */
    public Decision checkDiff(@Nullable String project, String diff, @Nullable String movedFrom, int digits) {
        return check(Asked.of(project, read(diff), movedFrom, digits));
    }

    /** @param revision as proposals and verdicts have it */
    public Decision checkRevision(@Nullable String project, String revision) {
        return check(Asked.of(project, revision));
    }

    /** As {@link #overrideDiff(String, String, String, String, Caller)}, by nobody that is known. */
    public Overridden overrideDiff(@Nullable String project, String diff, String by, String reason) {
        return overrideDiff(project, diff, by, reason, Caller.UNKNOWN);
    }

    /** Lets this content pass; the first override of a content stands. Neither its proposer nor any agent can do that. */
    public Overridden overrideDiff(@Nullable String project, String diff, String by, String reason, Caller caller) {
        return override(Asked.of(project, read(diff), null, Bases.DIGITS), by, reason, caller);
    }

    public Overridden overrideRevision(@Nullable String project, String revision, String by, String reason) {
        return overrideRevision(project, revision, by, reason, Caller.UNKNOWN);
    }

    public Overridden overrideRevision(
            @Nullable String project, String revision, String by, String reason, Caller caller) {
        return override(Asked.of(project, revision), by, reason, caller);
    }

    private Diff read(String diff) {
        limits.diff("diff", diff);
        return switch (Diff.parse(diff)) {
            case Diff read -> read;
            case DiffProblem unreadable ->
                throw new RefusedException(RefusalCode.INVALID, "the diff cannot be read: " + unreadable);
        };
    }

    private Decision check(Asked asked) {
        record Found(
                @Nullable Decision passes,
                List<ApprovalTable.Approval> elsewhere,
                @Nullable WhyNot why) {}
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
                    : new Found(null, approvals, WhyNot.of(transaction, asked));
        });
        return found.passes != null
                ? found.passes
                : Objects.requireNonNull(found.why).answer(asked, movable(asked, found.elsewhere));
    }

    private static Decision approved(Asked asked, ApprovalTable.Approval by) {
        return new Decision.Approved(
                asked.revision(), by.reviewId(), by.reviewer(), by.knownBy(), by.engine(), by.readAll(), by.at());
    }

    private static List<Moved> movable(Asked asked, List<ApprovalTable.Approval> approvals) {
        if (asked.diff() == null) {
            return List.of();
        }
        Bases now = Bases.of(asked.diff());
        Map<String, Moved> movable = new LinkedHashMap<>();
        for (ApprovalTable.Approval approval : approvals) {
            String bases = approval.bases();
            if (bases != null && asked.mayHaveMovedFrom(bases) && movable.size() < MOST_TOLD) {
                movable.putIfAbsent(
                        approval.reviewId(),
                        new Moved(approval.reviewId(), Asked.read(bases).beside(now)));
            }
        }
        return List.copyOf(movable.values());
    }

    private Overridden override(Asked asked, String by, String reason, Caller caller) {
        String who = ReviewLimits.required("by", by).strip();
        String why = ReviewLimits.required("reason", reason).strip();
        limits.word("by", who);
        limits.text("reason", why);
        return changes.store().write(transaction -> {
            Judge judge = independence.judge(transaction, caller, who);
            independence.checkMayOverride(transaction, asked, judge);
            Optional<Overridden> before = ApprovalTable.override(transaction, asked);
            if (before.isPresent()) {
                return before.get();
            }
            if (ApprovalTable.addOverride(transaction, asked.project(), asked.revision(), who, why, judge)) {
                changes.gate()
                        .appendEvent(
                                transaction,
                                Review.resource(asked.revision()),
                                null,
                                Changes.event(
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
