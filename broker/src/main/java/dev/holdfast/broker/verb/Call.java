package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;

/** One call of a verb: its origin, and what depends on whether its answer arrives. */
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

    /** Who is calling, as far as known. */
    public Caller caller() {
        return origin.caller();
    }

    public Reach reach() {
        return origin.reach();
    }

    /** Runs this once the answer has been written to the caller. */
    public void whenDelivered(Runnable action) {
        delivered = action;
    }

    /** Runs this if the caller is gone and will never see the answer. */
    public void whenUndelivered(Runnable action) {
        undelivered = action;
    }

    Answer answer(Answer answer) {
        return answer.whenDelivered(delivered).whenUndelivered(undelivered);
    }
}
