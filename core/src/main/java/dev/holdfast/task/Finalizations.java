package dev.holdfast.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to end a task, for one processor at a time.
 *
 * <ol>
 *   <li>It can be claimed as soon as one step has ended, whether or not the task is due: its holder looks, and ends the
 *       task or releases the claim.
 *   <li>Every claim and extension returns {@code requestedSeq}, which increases with every change of the steps. A task
 *       ends only if its holder has seen the last change; that is checked under the lock that every such change takes.
 *   <li>A claim that is released or lost while the task may still end is offered again. Nothing depends on a caller
 *       that was refused.
 *   <li>The terminal state, its outbox entry and the event are one transaction.
 * </ol>
 *
 * <p>On PostgreSQL these are SQL functions that any program may call alongside the brokers; Java calls the same ones.
 */
public interface Finalizations {
    /**
     * @param taskState not_found, complete, or the task's execution status
     * @param claimGeneration to present with everything done under this claim; null if there is none
     */
    record Claimed(
            FinalizationAnswer answer,
            @Nullable String alreadyClaimedBy,
            String taskState,
            String message,
            @Nullable Long claimGeneration,
            @Nullable Long requestedSeq) {
        public boolean claimed() {
            return answer.granted();
        }
    }

    record Finished(
            FinalizationAnswer answer,
            String taskState,
            @Nullable Long requestedSeq,
            String message) {
        public boolean finished() {
            return answer.granted();
        }

        /** Whether the steps have changed since; the claim continues: look at {@code requestedSeq} and try again. */
        public boolean reevaluate() {
            return answer == FinalizationAnswer.REEVALUATE;
        }
    }

    /**
     * Claims or, given the generation of a claim, extends that one.
     *
     * @param timeout null: the default
     */
    Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation);

    /** @param handledSeq the last change that was looked at; null: the one that the claim or extension returned */
    boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq);

    /** @param outcome complete or failed; null: the policy decides */
    Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome);
}
