package dev.holdfast.review;

import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.Approvals.Answer.Overridden;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whether a content may go in: what a gate asks before a commit or a push.
 *
 * <ol>
 *   <li>A content is known by its revision, the hash of its diff. Whatever the diff is called, where its lines stand and
 *       in which order its files come does not matter; a changed line makes another content.
 *   <li>It is approved when a review of the same project has this very content now, was approved on it, and was not
 *       withdrawn since. Withdrawing an approved review voids the approval.
 *   <li>It also passes when somebody has overridden the gate for it, with a reason; that is an event like any other.
 * </ol>
 */
public final class Approvals {
    /** May it go in? */
    public sealed interface Answer {
        String revision();

        /** @param readAll whether the reviewer had been shown all of it; null: nobody knows, it is old or imported */
        record Approved(
                String revision,
                String reviewId,
                @Nullable String reviewer,
                @Nullable Boolean readAll,
                Instant at) implements Answer {}

        /** The gate was opened by hand for this content. */
        record Overridden(String revision, String project, String by, String reason, Instant at) implements Answer {}

        /** @param review the one that explains it, or is nearest; null: there is none */
        record NotApproved(
                String revision, Why why, @Nullable Review review) implements Answer {}
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
        /** It is approved, but for another project. */
        OTHER_PROJECT,
        /** It is new; a review of other content of the same files is near. */
        OTHER_CONTENT,
        NEVER_REVIEWED
    }

    /** A content, and the files it touches as far as they are known. */
    private record Asked(String project, String revision, Set<String> paths) {}

    private record Found(Why why, Review review) {}

    private final Changes changes;
    private final Limits limits;

    Approvals(Changes changes, Limits limits) {
        this.changes = changes;
        this.limits = limits;
    }

    public Answer checkDiff(@Nullable String project, String diff) {
        return check(asked(project, diff));
    }

    /** @param revision as proposals and verdicts have it */
    public Answer checkRevision(@Nullable String project, String revision) {
        return check(new Asked(Project.key(project), shaped(revision), Set.of()));
    }

    /** Lets this content pass; the first override of a content stands. */
    public Overridden overrideDiff(@Nullable String project, String diff, String by, String reason) {
        return override(asked(project, diff), by, reason);
    }

    public Overridden overrideRevision(@Nullable String project, String revision, String by, String reason) {
        return override(new Asked(Project.key(project), shaped(revision), Set.of()), by, reason);
    }

    private Asked asked(@Nullable String project, String diff) {
        limits.diff("diff", diff);
        Content content = Content.of("", null, diff);
        content.problem().ifPresent(problem -> {
            throw new RefusedException("invalid", "the diff cannot be read: " + problem);
        });
        return new Asked(Project.key(project), content.revision(), paths(content.affectedFiles()));
    }

    private static String shaped(String revision) {
        if (!Content.isRevision(revision)) {
            throw new RefusedException(
                    "invalid",
                    "revision must be r1: (or t1:, of a text) and 64 hexadecimal digits, as create_review answers it");
        }
        return revision;
    }

    private Answer check(Asked asked) {
        return changes.store().read(transaction -> {
            Optional<ApprovalTable.Approval> approval =
                    ApprovalTable.approval(transaction, asked.project, asked.revision);
            if (approval.isPresent()) {
                ApprovalTable.Approval found = approval.get();
                return new Answer.Approved(
                        asked.revision, found.reviewId(), found.reviewer(), found.readAll(), found.at());
            }
            Optional<Overridden> override = ApprovalTable.override(transaction, asked.project, asked.revision);
            if (override.isPresent()) {
                return override.get();
            }
            return notApproved(transaction, asked);
        });
    }

    private static Answer notApproved(Transaction transaction, Asked asked) throws SQLException {
        Optional<Found> best = Optional.empty();
        for (ApprovalTable.Same same : ApprovalTable.same(transaction, asked.revision)) {
            boolean here = same.project().equals(asked.project);
            if (here || same.approved()) {
                Review review = ReviewTable.show(transaction, same.reviewId()).orElseThrow();
                Found found = new Found(here ? why(review, same, asked.revision) : Why.OTHER_PROJECT, review);
                best = best.filter(before -> before.why.compareTo(found.why) <= 0)
                        .or(() -> Optional.of(found));
            }
        }
        if (best.isPresent()) {
            return new Answer.NotApproved(asked.revision, best.get().why, best.get().review);
        }
        Optional<String> nearest = nearest(ApprovalTable.recent(transaction, asked.project), asked.paths);
        if (nearest.isPresent()) {
            Review review = ReviewTable.show(transaction, nearest.get()).orElseThrow();
            return new Answer.NotApproved(asked.revision, Why.OTHER_CONTENT, review);
        }
        return new Answer.NotApproved(asked.revision, Why.NEVER_REVIEWED, null);
    }

    private static Why why(Review review, ApprovalTable.Same same, String revision) {
        if (!review.revision().equals(revision)) {
            return Why.REVISED;
        }
        return switch (review.status()) {
            case PENDING, CLAIMED, IN_REVIEW -> Why.PENDING;
            case CHANGES_REQUESTED -> Why.CHANGES_REQUESTED;
            case WITHDRAWN -> same.judgedApproved() ? Why.VOIDED : Why.ENDED;
            case APPROVED, CLOSED -> Why.ENDED; // imported: closed without a verdict on this content
        };
    }

    /** The review that shares most of its files with the content; of several, the newest. */
    private static Optional<String> nearest(List<ApprovalTable.Recent> newestFirst, Set<String> paths) {
        record Near(String reviewId, double share) {}
        return newestFirst.stream()
                .map(recent -> new Near(recent.reviewId(), share(paths(recent.affectedFiles()), paths)))
                .filter(near -> near.share > 0)
                .sorted(Comparator.comparingDouble(Near::share).reversed())
                .findFirst()
                .map(Near::reviewId);
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

    private Overridden override(Asked asked, String by, String reason) {
        String who = Limits.required("by", by).strip();
        String why = Limits.required("reason", reason).strip();
        limits.word("by", who);
        limits.text("reason", why);
        return changes.store().write(transaction -> {
            if (ApprovalTable.addOverride(transaction, asked.project, asked.revision, who, why)) {
                changes.gate()
                        .tell(
                                transaction,
                                Review.resource(asked.revision),
                                null,
                                Changes.told(
                                        AuditEvent.OVERRIDDEN,
                                        who,
                                        null,
                                        null,
                                        Metadata.of(
                                                "reason",
                                                why,
                                                "project",
                                                asked.project,
                                                "revision",
                                                asked.revision,
                                                "paths",
                                                asked.paths.stream()
                                                        .sorted()
                                                        .limit(100)
                                                        .toList())));
            }
            return ApprovalTable.override(transaction, asked.project, asked.revision)
                    .orElseThrow();
        });
    }
}
