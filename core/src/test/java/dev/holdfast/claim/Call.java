package dev.holdfast.claim;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One call of a concurrent history, with its answer; flat, so that another process can write it to a file.
 *
 * @param shown the generation in the caller's fence, or expected by its reclaim
 * @param otherHolder the holder that the answer names: the current one, or the displaced one
 * @param generation the generation that the answer names
 * @param at the store's time in the answer, in microseconds; 0 if it gives none
 * @param until the expiry in the answer
 * @param invoked by {@code nanoTime}, which all processes of a Linux machine share
 * @param lostAnswers how often, while it ran, the database's answer to a change was lost and the change was run again:
 *     each time, an earlier run of this call may have taken effect without anybody knowing
 */
public record Call(
        Verb verb,
        String resource,
        String holder,
        long shown,
        Answer answer,
        @Nullable String otherHolder,
        long generation,
        long at,
        long until,
        long invoked,
        long returned,
        int lostAnswers)
        implements Serializable {
    public enum Verb {
        CLAIM,
        HEARTBEAT,
        RELEASE,
        FAIL,
        COMPLETE,
        RECLAIM,
        SWEEP
    }

    public enum Answer {
        GRANTED,
        TAKEN_OVER,
        ALREADY,
        HELD,
        EXTENDED,
        ENDED,
        REPLAYED,
        LOST,
        STALE,
        WRONG_HOLDER,
        NOT_HELD,
        NOT_FOUND,
        NOT_CLAIMABLE,
        BAD_STATE,
        RECLAIMED,
        NOT_RECLAIMED,
        /** Busy, or the connection broke: it may have happened, may yet happen, or never will. */
        UNKNOWN
    }

    /** An earlier run of this call that took effect but was never answered. */
    Call firstRun(long generation, long at) {
        return new Call(verb, resource, holder, shown, Answer.UNKNOWN, null, generation, at, 0, invoked, returned, 0);
    }

    boolean unknown() {
        return answer == Answer.UNKNOWN;
    }
}
