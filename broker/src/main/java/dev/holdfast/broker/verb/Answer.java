package dev.holdfast.broker.verb;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a verb answers: a result, or a refusal with a code. The door that delivers it calls {@link #delivered} once it
 * has been written to the caller, or {@link #undelivered} when the caller is gone.
 */
public record Answer(
        Map<String, @Nullable Object> body, @Nullable Code refusal, Runnable delivered, Runnable undelivered) {
    /** What a refusal consists of. */
    public static final List<Field> REFUSAL = Telling.REFUSAL;

    private static final Runnable NOTHING = () -> {};

    public static Answer of(Map<String, @Nullable Object> body) {
        return new Answer(body, null, NOTHING, NOTHING);
    }

    public static Answer refused(Code code, String text) {
        return refused(code, text, Map.of());
    }

    /** @param details what a program may want to know beside the text */
    public static Answer refused(Code code, String text, Map<String, @Nullable Object> details) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("error", text);
        body.put("code", code.toString());
        body.putAll(details);
        return new Answer(body, code, NOTHING, NOTHING);
    }

    public Answer whenDelivered(Runnable action) {
        return new Answer(body, refusal, action, undelivered);
    }

    public Answer whenUndelivered(Runnable action) {
        return new Answer(body, refusal, delivered, action);
    }

    /** Whether anything depends on its arrival. */
    public boolean mustArrive() {
        return delivered != NOTHING || undelivered != NOTHING;
    }

    public int status() {
        return refusal == null ? 200 : refusal.status();
    }
}
