package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;
import java.util.List;

/** Calls of verbs without a door. */
public final class Calls {
    private Calls() {}

    public static Call ofNobody() {
        return new Call(new Origin(null, null, null, null, null, true, List::of), () -> Caller.UNKNOWN);
    }
}
