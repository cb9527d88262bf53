package dev.holdfast.claim;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One call of a concurrent history, with its answer, flat so that it can be written to a file by another process.
 *
 * @param shown the generation in the caller's fence, or expected by its reclaim
 * @param otherHolder whom the answer names: who holds it, or who was displaced
 * @param generation which generation the answer names
 * @param at the store's time in the answer, in microseconds; 0 when it tells none
 * @param until the expiry in the answer
 * @param invoked by {@code nanoTime}, which all processes of a Linux machine share
 */
record Call(
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
        long returned)
        implements Serializable {
    enum Verb {
        CLAIM,
        HEARTBEAT,
        RELEASE,
        FAIL,
        COMPLETE,
        RECLAIM,
        SWEEP
    }

    enum Answer {
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
        /** Granted; if its first run had lost its answer, that one may have taken it over. */
        GRANTED_IN_SOME_RUN,
        /** Ended by this call, in this run or in one before that lost its answer, or by an earlier call. */
        ENDED_IN_SOME_RUN,
        /** Busy, or broken: it may have happened, may yet, or never. */
        UNKNOWN
    }

    /** This call as it must be read when connections broke and statements were run a second time. */
    Call afterFaults() {
        Answer read = switch (answer) {
            case GRANTED, TAKEN_OVER -> Answer.GRANTED_IN_SOME_RUN;
            case ENDED, REPLAYED -> Answer.ENDED_IN_SOME_RUN;
            default -> answer;
        };
        return new Call(verb, resource, holder, shown, read, otherHolder, generation, at, until, invoked, returned);
    }

    boolean unknown() {
        return answer == Answer.UNKNOWN;
    }
}
