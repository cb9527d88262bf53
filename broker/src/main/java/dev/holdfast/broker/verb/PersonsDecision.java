package dev.holdfast.broker.verb;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import org.jspecify.annotations.Nullable;

/** What an agent does not decide, as far as it is known that the caller is one. */
public final class PersonsDecision {
    private PersonsDecision() {}

    /**
     * @param what is such a decision, as in "tokens are"
     * @return who calls; null: nobody knows
     * @throws RefusedException when it is known to be an agent
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
