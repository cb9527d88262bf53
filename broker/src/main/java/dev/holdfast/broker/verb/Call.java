package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;

/** One call of a verb: where it comes from, and what depends on whether its answer arrives. */
public final class Call {
    private final Origin origin;
    private Runnable delivered = Answer.NOTHING;
    private Runnable undelivered = Answer.NOTHING;

    Call(Origin origin) {
        this.origin = origin;
    }

    public Origin origin() {
        return origin;
    }

    /** Who calls, as far as it is known. */
    public Caller caller() {
        return origin.caller();
    }

    /** Do this once the answer has been written to the caller. */
    public void whenDelivered(Runnable action) {
        delivered = action;
    }

    /** Do this when the caller is gone and will never know of the answer. */
    public void whenUndelivered(Runnable action) {
        undelivered = action;
    }

    Answer answer(Answer answer) {
        return answer.whenDelivered(delivered).whenUndelivered(undelivered);
    }
}
