package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of a verb: its origin, who makes it, and what depends on whether its answer arrives. */
public final class Call {
    private final Origin origin;
    private final Supplier<Caller> identity;
    private final AccessScope reach;
    private @Nullable Caller caller;
    private Runnable delivered = Answer.NOTHING;
    private Runnable undelivered = Answer.NOTHING;

    /** @param identity finds out who is calling; asked once, and only when needed */
    public Call(Origin origin, Supplier<Caller> identity, AccessScope reach) {
        this.origin = origin;
        this.identity = identity;
        this.reach = reach;
    }

    /** As above, for a caller without limits. */
    public Call(Origin origin, Supplier<Caller> identity) {
        this(origin, identity, AccessScope.UNLIMITED);
    }

    public Origin origin() {
        return origin;
    }

    /** Who is calling, as far as known. */
    public synchronized Caller caller() {
        if (caller == null) {
            caller = identity.get();
        }
        return caller;
    }

    public AccessScope reach() {
        return reach;
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
