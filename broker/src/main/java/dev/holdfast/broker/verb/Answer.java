package dev.holdfast.broker.verb;

import dev.holdfast.claim.RefusalCode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A verb's answer: a result, or a refusal with a code. The endpoint that delivers it calls {@link #delivered} once it
 * has been written to the caller, or {@link #undelivered} when the caller is gone.
 *
 * @param broken whether the call could not even be tried: its arguments do not fit the verb, or the broker failed
 */
public record Answer(
        Map<String, @Nullable Object> body,
        @Nullable RefusalCode refusal,
        boolean broken,
        Runnable delivered,
        Runnable undelivered) {
    static final Runnable NOTHING = () -> {};

    public static Answer of(Map<String, @Nullable Object> body) {
        return new Answer(body, null, false, NOTHING, NOTHING);
    }

    public static Answer refused(RefusalCode code, String text) {
        return refused(code, Refusals.body(code, text, null));
    }

    /** @param id what to look for in the broker's log */
    public static Answer failed(String text, String id) {
        return refused(RefusalCode.INTERNAL, Refusals.body(RefusalCode.INTERNAL, text, id))
                .asBroken();
    }

    static Answer refused(RefusalCode code, Map<String, @Nullable Object> body) {
        return new Answer(body, code, false, NOTHING, NOTHING);
    }

    /** The same refusal, for a call that could not even be tried. */
    Answer asBroken() {
        return new Answer(body, refusal, true, delivered, undelivered);
    }

    /** The same answer in another form; keeps the callbacks for its delivery. */
    public Answer withBody(Map<String, @Nullable Object> form) {
        return new Answer(form, refusal, broken, delivered, undelivered);
    }

    public Answer whenDelivered(Runnable action) {
        return new Answer(body, refusal, broken, action, undelivered);
    }

    Answer whenUndelivered(Runnable action) {
        return new Answer(body, refusal, broken, delivered, action);
    }

    /** Whether anything depends on its delivery. */
    public boolean mustArrive() {
        return !delivered.equals(NOTHING) || !undelivered.equals(NOTHING);
    }

    public int status() {
        return refusal == null ? 200 : refusal.status();
    }
}
