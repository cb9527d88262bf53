package dev.holdfast.review;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Standing;
import dev.holdfast.claim.Told;
import dev.holdfast.store.LeaseClock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What reviewers say: verdicts, which end their claim, and comments, which do not. */
public final class Verdicts {
    /**
     * @param fence reviewer, generation, or both, as the claim gave them
     * @param revision the content that was judged; null: the one that this grant was last shown
     */
    public record Given(
            String verdict,
            @Nullable String reason,
            @Nullable String counterPatch,
            Fence fence,
            @Nullable String revision) {
        public static Given of(String verdict, @Nullable String reason, Fence fence) {
            return new Given(verdict, reason, null, fence, null);
        }

        public Given counterPatch(@Nullable String diff) {
            return new Given(verdict, reason, diff, fence, revision);
        }

        public Given revision(@Nullable String judged) {
            return new Given(verdict, reason, counterPatch, fence, judged);
        }

        private boolean comment() {
            return verdict.equals(Verdict.COMMENT);
        }
    }

    /** @param replayed it had been said before, in the same words; nothing changed */
    public record Said(
            String reviewId,
            Status status,
            String verdict,
            @Nullable String reason,
            boolean hasCounterPatch,
            String revision,
            boolean replayed) {}

    private final Changes changes;
    private final Fencing fencing;
    private final Reviewers reviewers;
    private final DiffCheck check;
    private final Limits limits;

    Verdicts(Changes changes, Fencing fencing, Reviewers reviewers, DiffCheck check, Limits limits) {
        this.changes = changes;
        this.fencing = fencing;
        this.reviewers = reviewers;
        this.check = check;
        this.limits = limits;
    }

    public Said submit(String id, Given asked) {
        String reason = asked.reason() == null ? null : asked.reason().strip();
        Given given = new Given(asked.verdict(), reason, asked.counterPatch(), asked.fence(), asked.revision());
        checkWords(given);
        Optional<Content> counterPatch = checkedCounterPatch(id, given);
        if (given.comment()) {
            return changes.on(id, locked -> comment(locked, given, counterPatch.orElse(null)));
        }
        Status target = switch (given.verdict()) {
            case Verdict.APPROVED -> Status.APPROVED;
            case Verdict.CHANGES_REQUESTED -> Status.CHANGES_REQUESTED;
            default ->
                throw new RefusedException(
                        "invalid",
                        "Invalid verdict: '" + given.verdict()
                                + "'. Must be 'approved', 'changes_requested', or 'comment'.");
        };
        return changes.on(id, locked -> judge(locked, given, target, counterPatch.orElse(null)));
    }

    private void checkWords(Given given) {
        boolean blank = given.reason() == null || given.reason().isEmpty();
        boolean asksForChanges = given.verdict().equals(Verdict.CHANGES_REQUESTED);
        if (blank && (asksForChanges || given.comment())) {
            throw new RefusedException("invalid", "Notes (reason) required for '" + given.verdict() + "' verdict.");
        }
        if (given.counterPatch() != null && !asksForChanges && !given.comment()) {
            throw new RefusedException(
                    "invalid", "Counter-patches only allowed with changes_requested or comment verdicts");
        }
        limits.text("reason", given.reason());
        limits.diff("counter_patch", given.counterPatch());
    }

    private Optional<Content> checkedCounterPatch(String id, Given given) {
        String patch = given.counterPatch();
        if (patch == null) {
            return Optional.empty();
        }
        record Judged(Review review, Revision revision) {}
        Judged judged = changes.store()
                .read(transaction -> new Judged(
                        ReviewTable.show(transaction, id).orElseThrow(() -> RefusedException.notFound(id)),
                        RevisionTable.current(transaction, id)));
        Content content = judged.revision().content().withDiff(patch);
        content.problem()
                .or(() -> check.check(judged.review().project(), content.diffText())
                        .problem())
                .ifPresent(problem -> {
                    throw new RefusedException(
                            "invalid", "Counter-patch diff validation failed", Map.of("validation_error", problem));
                });
        return Optional.of(content);
    }

    private Said comment(Changes.Locked locked, Given given, @Nullable Content counterPatch) throws SQLException {
        Status status = locked.status();
        if (!status.underReview()) {
            throw new RefusedException(
                    "bad_state",
                    "Cannot comment on review in '" + status
                            + "' state. Comments are only valid on claimed or in_review reviews.");
        }
        fencing.check(locked, given.fence());
        locked.review().verdictReason = given.reason();
        add(locked, given, counterPatch);
        changes.gate()
                .tell(
                        locked.transaction(),
                        locked.resource(),
                        locked.standing().generation(),
                        Changes.told(
                                "verdict_comment",
                                "reviewer",
                                status,
                                status,
                                Metadata.of(
                                        "reason",
                                        given.reason(),
                                        "has_counter_patch",
                                        counterPatch != null,
                                        "reviewer_id",
                                        speaker(locked, given),
                                        "claim_generation",
                                        locked.standing().generation())));
        return said(locked, given, status, counterPatch != null);
    }

    private Said judge(Changes.Locked locked, Given given, Status target, @Nullable Content counterPatch)
            throws SQLException {
        Optional<Said> before = replay(locked, given, counterPatch);
        if (before.isPresent()) {
            return before.get();
        }
        fencing.check(locked, given.fence());
        Status status = locked.status();
        Transitions.check(status, target, Transitions.By.REVIEWER);
        Fencing.checkRevision(locked, given.revision());
        ReviewRow review = locked.review();
        review.stored = target;
        review.verdictReason = given.reason();
        review.verdictBy = speaker(locked, given);
        review.reservedFor = null;
        review.unservedGeneration = null;
        add(locked, given, counterPatch);
        Told told = Changes.told(
                "verdict_submitted",
                "reviewer",
                status,
                target,
                Metadata.of(
                        "verdict",
                        given.verdict(),
                        "reason",
                        given.reason(),
                        "has_counter_patch",
                        counterPatch != null,
                        "reviewer_id",
                        review.verdictBy,
                        "claim_generation",
                        locked.standing().generation(),
                        "revision",
                        review.revision));
        Claim claim = locked.standing().claim();
        if (claim == null) {
            changes.gate()
                    .tell(
                            locked.transaction(),
                            locked.resource(),
                            locked.standing().generation(),
                            told);
        } else {
            Duration took = Duration.between(claim.claimedAt(), LeaseClock.instant(locked.now()));
            reviewers.judged(locked.transaction(), claim.holder(), target == Status.APPROVED, took);
            EndOutcome ended = changes.gate()
                    .end(
                            locked.transaction(),
                            locked.resource(),
                            claim.fence(),
                            Ending.completed(given.verdict(), String.valueOf(given.reason())),
                            told);
            if (!(ended instanceof EndOutcome.Ended)) {
                throw new IllegalStateException("a claim under its lock did not end: " + ended);
            }
        }
        return said(locked, given, target, counterPatch != null);
    }

    /** The last grant that ended: its own verdict again is answered as it was the first time. */
    private Optional<Said> replay(Changes.Locked locked, Given given, @Nullable Content counterPatch)
            throws SQLException {
        Standing standing = locked.standing();
        Long ended = standing.endedGeneration();
        if (ended == null || !shows(given.fence(), standing, ended)) {
            return Optional.empty();
        }
        String patch = counterPatch == null ? null : counterPatch.diff();
        return VerdictTable.ofGrant(locked.transaction(), locked.review().id, ended)
                .filter(first -> first.verdict().equals(given.verdict())
                        && Objects.equals(first.reason(), given.reason())
                        && Objects.equals(first.counterPatch(), patch)
                        && (given.revision() == null || given.revision().equals(first.revision())))
                .map(first -> new Said(
                        locked.review().id,
                        Status.of(first.verdict()),
                        first.verdict(),
                        first.reason(),
                        first.counterPatchStatus() != null,
                        first.revision(),
                        true));
    }

    private static boolean shows(Fence fence, Standing standing, long ended) {
        String reviewer = fence.holder();
        Long generation = fence.generation();
        if (generation == null) {
            return reviewer != null && reviewer.equals(standing.endedBy()) && !reviewer.equals(standing.holder());
        }
        return generation == ended && (reviewer == null || reviewer.equals(standing.endedBy()));
    }

    private void add(Changes.Locked locked, Given given, @Nullable Content counterPatch) throws SQLException {
        Claim claim = locked.standing().claim();
        VerdictTable.add(
                locked.transaction(),
                locked.review(),
                given.verdict(),
                given.reason(),
                speaker(locked, given),
                claim == null ? null : claim.generation(),
                counterPatch,
                locked.now());
        locked.save();
    }

    private static @Nullable String speaker(Changes.Locked locked, Given given) {
        String holder = locked.standing().holder();
        return holder == null ? given.fence().holder() : holder;
    }

    private static Said said(Changes.Locked locked, Given given, Status status, boolean hasCounterPatch) {
        return new Said(
                locked.review().id,
                status,
                given.verdict(),
                given.reason(),
                hasCounterPatch,
                locked.review().revision,
                false);
    }
}
