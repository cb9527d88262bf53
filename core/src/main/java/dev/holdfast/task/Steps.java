package dev.holdfast.task;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What agents do with steps: claim, complete, fail. */
public final class Steps {
    static final int LONGEST_RESULT = 1_000_000;
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(60);

    /**
     * A step granted to somebody, with what it needs.
     *
     * @param dependencies what it waited for, with the results
     * @param leftOut keys of those whose results are left out, because all together are too much for one answer
     * @param context the task's context
     * @param repeated its holder had already been granted it
     */
    public record ClaimedStep(
            Step step,
            Claim claim,
            List<Step> dependencies,
            List<String> leftOut,
            @Nullable String context,
            boolean repeated) {}

    /**
     * The result of ending a step.
     *
     * @param replayed the same end had already been reported
     * @param next the outcome of claiming the next step in the same transaction; null if that was not asked for
     */
    public record Ended(
            Step step,
            Task task,
            boolean replayed,
            @Nullable ClaimOutcome next) {}

    /** The result of ending a step, and the next step; empty if there is none. */
    public record EndedAndNext(Ended ended, Optional<ClaimedStep> next) {}

    private final Store store;
    private final Claims claims;
    private final TransactionalClaims transactional;
    private final StepEndEffects settlement;
    private final StepEnds ends;

    Steps(Store store, Claims claims, StepEndEffects settlement, StepEnds ends) {
        this.store = store;
        this.claims = claims;
        this.settlement = settlement;
        this.ends = ends;
        transactional = claims.transactional();
        transactional.onTakenBack(Kind.STEP, (transaction, step, parked) -> {
            if (parked) {
                abandoned(transaction, step);
            }
        });
    }

    /** The best ready step of this namespace, or of any; empty if there is none after waiting this long. */
    public Optional<ClaimedStep> claimNext(
            String holder,
            @Nullable String namespace,
            @Nullable Duration ttl,
            @Nullable String requestId,
            Duration patience) {
        NextRequest asked =
                wanted(holder, namespace).ttl(ttl).requestId(requestId).waiting(patience);
        return given(claims.claimNext(asked), asked);
    }

    private static NextRequest wanted(String holder, @Nullable String namespace) {
        return NextRequest.of(Kind.STEP, holder).filter(namespace == null ? Filter.ANY : Filter.queue(namespace));
    }

    private Optional<ClaimedStep> given(ClaimOutcome first, NextRequest asked) {
        ClaimOutcome outcome = first;
        while (granted(outcome).isPresent()) {
            Optional<ClaimedStep> given = given(outcome);
            if (given.isPresent()) {
                return given;
            }
            outcome = claims.claimNext(asked); // its task has just ended: try another
        }
        return Optional.empty();
    }

    public ClaimedStep claim(String stepId, String holder, @Nullable Duration ttl, @Nullable String requestId) {
        return claim(ClaimRequest.of(Step.resource(stepId), holder).ttl(ttl).requestId(requestId));
    }

    ClaimedStep claim(ClaimRequest asked) {
        String stepId = asked.resource().id();
        if (hasEnded(stepId)) { // before claiming, so that nothing is granted and lost again
            throw ended(stepId);
        }
        return given(claims.claim(asked)).orElseThrow(() -> ended(stepId));
    }

    /** Whether its task has ended. */
    boolean hasEnded(String stepId) {
        return store.read(transaction -> TaskTable.setting(transaction, Step.taskOf(stepId)))
                .filter(task -> task.state().ended())
                .isPresent();
    }

    private static RefusedException ended(String stepId) {
        return new RefusedException(RefusalCode.NOT_CLAIMABLE, "the task of step " + stepId + " has ended");
    }

    private static Optional<Claim> granted(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> Optional.of(granted.claim());
            case ClaimOutcome.AlreadyHeld already -> Optional.of(already.claim());
            case ClaimOutcome.Nothing _ -> Optional.empty();
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    /** Empty if there is none, or if the task has ended and the step with it. */
    Optional<ClaimedStep> given(ClaimOutcome outcome) {
        return claims.runBeforeDelivery(
                outcome,
                () -> granted(outcome).flatMap(claim -> given(claim, outcome instanceof ClaimOutcome.AlreadyHeld)));
    }

    private Optional<ClaimedStep> given(Claim claim, boolean repeated) {
        String stepId = claim.resource().id();
        Optional<ClaimedStep> given = store.read(transaction -> {
            Step step = StepTable.show(transaction, stepId).orElseThrow();
            TaskTable.Setting task =
                    TaskTable.setting(transaction, step.taskId()).orElseThrow();
            if (task.state().ended()) {
                return Optional.empty();
            }
            List<StepTable.Dependency> before = StepTable.dependencies(transaction, stepId);
            return Optional.of(new ClaimedStep(
                    step,
                    claim,
                    before.stream().map(StepTable.Dependency::step).toList(),
                    before.stream()
                            .filter(StepTable.Dependency::leftOut)
                            .map(dependency -> dependency.step().key())
                            .toList(),
                    task.context(),
                    repeated));
        });
        if (given.isEmpty()) {
            store.write(transaction -> {
                settlement.cancel(transaction, stepId);
                return stepId;
            });
        }
        return given;
    }

    public Ended complete(String stepId, Fence fence, @Nullable String result) {
        return ends.take(StepEnd.succeeded(stepId, fence, limited(result), null));
    }

    /**
     * Completes a step and, if that was accepted or a replay, claims the next ready one of this namespace, or of any.
     */
    public EndedAndNext completeAndNext(
            String stepId, Fence fence, @Nullable String result, String holder, @Nullable String namespace) {
        NextRequest asked = wanted(holder, namespace);
        Ended ended = ends.take(StepEnd.succeeded(stepId, fence, limited(result), asked));
        ClaimOutcome next = ended.next();
        return new EndedAndNext(ended, given(next == null ? claims.claimNext(asked) : next, asked));
    }

    private static @Nullable String limited(@Nullable String result) {
        return result == null ? null : Text.limited("result", result, LONGEST_RESULT);
    }

    /** Counts a failed attempt; the step is retried after a delay, unless that was the last attempt. */
    public Ended fail(String stepId, Fence fence, String error, boolean retry) {
        Text.limited("error", error, Text.LONGEST_NOTE);
        return store.write(transaction -> {
            Step step = StepTable.show(transaction, stepId).orElseThrow(() -> notFound(stepId));
            LockedClaim claimState =
                    transactional.lock(transaction, step.resource()).orElseThrow();
            long failed = claimState.attempts() + 1;
            boolean saidBefore = fence.generation() != null
                    && Objects.equals(fence.generation(), claimState.endedGeneration())
                    && Objects.equals(fence.holder(), claimState.endedBy());
            if (saidBefore ? step.state() == StepState.FAILED : !retry || failed >= step.maxAttempts()) {
                return ends.take(transaction, StepEnd.failed(stepId, fence, error));
            }
            EndOutcome outcome = transactional.end(
                    transaction,
                    claimState,
                    fence,
                    Ending.failed(error, backoff(stepId, failed)),
                    new DomainEvent("step_failed_attempt", fence.holder(), Map.of("error", error, "attempts", failed)));
            return answer(transaction, stepId, fence, outcome);
        });
    }

    /**
     * 1, 2, 4, ... seconds, each with a little jitter so that not all come back at once; deterministic, so that a
     * second run gives the same.
     */
    private static Duration backoff(String stepId, long failed) {
        long seconds = Math.min(LONGEST_BACKOFF.toSeconds(), 1L << Math.min(failed - 1, 10));
        long jitter = Math.floorMod((stepId + failed).hashCode(), 200);
        return Duration.ofMillis(seconds * (1_000 + jitter));
    }

    private Ended answer(Transaction transaction, String stepId, Fence fence, EndOutcome outcome) throws SQLException {
        return switch (outcome) {
            case EndOutcome.Ended ended -> {
                Step step = StepTable.show(transaction, stepId).orElseThrow();
                yield new Ended(step, TaskTable.show(transaction, step.taskId()).orElseThrow(), ended.replayed(), null);
            }
            case Refusal.BadState ended -> throw RefusedException.of(ended);
            case Refusal refusal ->
                throw RefusedException.of(transactional
                        .guard(transaction, Step.resource(stepId), fence)
                        .orElse(refusal));
        };
    }

    /** Its holders abandoned it too often, so it has failed. */
    private void abandoned(Transaction transaction, Resource resource) throws SQLException {
        Step step = StepTable.show(transaction, resource.id()).orElseThrow();
        String error = "abandoned " + step.maxAttempts() + " times: its holders did not come back";
        transactional.retire(
                transaction, resource, error, new DomainEvent("step_failed", null, Map.of("error", error)));
        settlement.givenUp(transaction, step, error);
    }

    static RefusedException notFound(String stepId) {
        return new RefusedException(RefusalCode.NOT_FOUND, "no step " + stepId);
    }
}
