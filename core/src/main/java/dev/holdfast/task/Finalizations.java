package dev.holdfast.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to end a task, for one processor at a time.
 *
 * <ol>
 *   <li>A claim may be had as soon as one step has ended, whether the task is due or not: its holder looks, and ends the
 *       task or lets go.
 *   <li>Every claim and extension returns {@code requestedSeq}, which grows with every change of the steps. A task ends
 *       only if its holder has seen the last change, under the lock that every such change takes.
 *   <li>What is let go or lost while the task may still end is offered again. Nothing depends on somebody who was refused.
 *   <li>The terminal state, what is to be done about it, and the event are one transaction.
 * </ol>
 *
 * <p>On PostgreSQL these are SQL functions that any program may call beside the brokers; Java calls the same ones.
 */
public interface Finalizations {
    /**
     * @param taskState not_found, complete, or the task's execution status
     * @param claimGeneration to be shown with everything done under this claim; null when there is none
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

        /** The steps have changed since; the claim goes on, look at {@code requestedSeq} and try again. */
        public boolean reevaluate() {
            return answer == FinalizationAnswer.REEVALUATE;
        }
    }

    /**
     * Claims; with the generation of a claim, extends that one.
     *
     * @param timeout null: the default
     */
    Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation);

    /** @param handledSeq the last change that was looked at; null: the one that the claim or extension returned */
    boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq);

    /** @param outcome complete or failed; null: as the policy says */
    Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome);
}
