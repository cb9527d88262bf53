package dev.holdfast.task;

import static dev.holdfast.task.FinalizationAnswer.ALREADY_CLAIMED;
import static dev.holdfast.task.FinalizationAnswer.ALREADY_COMPLETE;
import static dev.holdfast.task.FinalizationAnswer.EXTENDED;
import static dev.holdfast.task.FinalizationAnswer.FINISHED;
import static dev.holdfast.task.FinalizationAnswer.GRANTED;
import static dev.holdfast.task.FinalizationAnswer.LOST;
import static dev.holdfast.task.FinalizationAnswer.NOT_FOUND;
import static dev.holdfast.task.FinalizationAnswer.NOT_FULFILLED;
import static dev.holdfast.task.FinalizationAnswer.NOT_READY;
import static dev.holdfast.task.FinalizationAnswer.REEVALUATE;
import static dev.holdfast.task.FinalizationAnswer.REPLAYED;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A locked task and its finalization, and the possible answers about them; both null if there is no such task. */
record LockedTask(@Nullable Task task, @Nullable LockedClaim claimState) {
    static LockedTask of(Transaction transaction, TransactionalClaims transactional, String taskId)
            throws SQLException {
        Task task = TaskTable.show(transaction, taskId).orElse(null);
        return task == null
                ? new LockedTask(null, null)
                : new LockedTask(
                        task,
                        transactional
                                .lock(transaction, Task.finalization(taskId))
                                .orElseThrow());
    }

    /** The result of a call: what its answer and the log have in common. */
    record Outcome(
            FinalizationAnswer answer,
            @Nullable String holder,
            String taskState,
            String message,
            @Nullable Long generation,
            @Nullable Long requestedSeq) {
        Outcome grantedTo(Claim claim) {
            return new Outcome(answer, claim.holder(), taskState, message, claim.generation(), requestedSeq);
        }
    }

    Outcome outcome(FinalizationAnswer answer, String message, @Nullable Long generation) {
        return new Outcome(
                answer,
                claimState == null ? null : claimState.holder(),
                taskState(),
                message,
                generation,
                task == null ? null : task.counters().requestedSeq());
    }

    private String taskState() {
        if (task == null) {
            return "not_found";
        }
        return task.state().ended() ? "complete" : task.executionStatus();
    }

    boolean heldBy(String processor, @Nullable Long generation) {
        return claimState != null
                && processor.equals(claimState.holder())
                && (generation == null || generation == claimState.generation());
    }

    /** Whether there is no reason to offer it again before the next change. */
    boolean nothingNew(long handled) {
        Task known = Objects.requireNonNull(task);
        return !known.policy().due(known.counters())
                && handled >= known.counters().requestedSeq();
    }

    /** @param generation of the claim to extend; null: none */
    Outcome forClaim(String processor, @Nullable Long generation) {
        FinalizationAnswer answer = claimAnswer(processor, generation);
        Outcome outcome = outcome(answer, (answer == LOST ? ALREADY_CLAIMED : answer).message(), null);
        return answer == ALREADY_COMPLETE || answer == NOT_READY
                ? new Outcome(answer, null, outcome.taskState, outcome.message, null, outcome.requestedSeq)
                : outcome;
    }

    private FinalizationAnswer claimAnswer(String processor, @Nullable Long generation) {
        if (task == null || claimState == null) {
            return NOT_FOUND;
        }
        if (task.state().ended()) {
            return ALREADY_COMPLETE;
        }
        Counters counters = task.counters();
        if (counters.succeeded() == 0
                && counters.failed() == 0
                && !task.policy().due(counters)) {
            return NOT_READY;
        }
        if (generation != null) {
            return heldBy(processor, generation) ? EXTENDED : LOST;
        }
        if (claimState.claim() == null || claimState.expired()) {
            return GRANTED;
        }
        return heldBy(processor, null) ? EXTENDED : ALREADY_CLAIMED;
    }

    Outcome forFinish(String processor, long generation, long handled, @Nullable TaskState outcome) {
        if (task == null || claimState == null) {
            return outcome(NOT_FOUND, NOT_FOUND.message(), generation);
        }
        Counters counters = task.counters();
        if (task.state().ended()) {
            boolean own = Objects.equals(claimState.endedGeneration(), generation)
                    && processor.equals(claimState.endedBy())
                    && (outcome == null || outcome == task.state());
            FinalizationAnswer answer = own ? REPLAYED : ALREADY_COMPLETE;
            return outcome(answer, answer.message(), generation);
        }
        if (!heldBy(processor, generation)) {
            String holder = claimState.holder();
            return outcome(LOST, LOST.message() + (holder == null ? ": nobody holds it" : " to " + holder), generation);
        }
        if (handled != counters.requestedSeq()) {
            return outcome(REEVALUATE, REEVALUATE.message(), generation);
        }
        String policy = NOT_FULFILLED.message() + " " + task.policy();
        if (!task.policy().due(counters)) {
            return outcome(
                    NOT_FULFILLED,
                    policy + " is not fulfilled: " + counters.waiting() + " steps are waiting, " + counters.active()
                            + " active",
                    generation);
        }
        if (outcome != null && outcome != end(outcome)) {
            return outcome(
                    NOT_FULFILLED,
                    policy + " does not let a task with " + counters.failed() + " failed steps end as complete",
                    generation);
        }
        Outcome finished = outcome(FINISHED, FINISHED.message(), generation);
        return new Outcome(FINISHED, finished.holder, "complete", finished.message, generation, finished.requestedSeq);
    }

    /** The state in which it ends if its holder asks for this, or for nothing. */
    TaskState end(@Nullable TaskState outcome) {
        Task known = Objects.requireNonNull(task);
        return outcome == TaskState.FAILED ? TaskState.FAILED : known.policy().end(known.counters());
    }
}
