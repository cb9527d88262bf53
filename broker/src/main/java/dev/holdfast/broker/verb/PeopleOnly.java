package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import org.jspecify.annotations.Nullable;

/** Reserves decisions for people: refuses callers known to be agents. */
public final class PeopleOnly {
    private PeopleOnly() {}

    /**
     * @param what the decision, as in "tokens are"
     * @return who is calling; null: unknown
     * @throws RefusedException when the caller is known to be an agent
     */
    public static @Nullable String by(Call call, String what) {
        Caller caller = call.caller();
        if (caller.known() == Caller.Known.SESSION && !caller.isPerson()) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    what + " a person's decision, and you are " + (caller.name() == null ? "an agent" : caller.name())
                            + "; ask a person to run it in their own terminal");
        }
        return caller.name();
    }
}
