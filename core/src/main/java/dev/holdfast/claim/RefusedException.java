package dev.holdfast.claim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call was refused: nothing was changed. The message is for people, the code for programs. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final RefusalCode code;
    private final transient Map<String, Object> details;
    private final transient @Nullable Refusal refusal;

    public RefusedException(RefusalCode code, String message) {
        this(code, message, Map.of());
    }

    public RefusedException(RefusalCode code, String message, Map<String, Object> details) {
        this(code, message, details, null);
    }

    private RefusedException(RefusalCode code, String message, Map<String, Object> details, @Nullable Refusal refusal) {
        super(message, null, false, false); // an answer, not a fault: nobody reads its stack trace
        this.code = code;
        this.details = details;
        this.refusal = refusal;
    }

    public static RefusedException of(Refusal refusal) {
        return new RefusedException(refusal.code(), refusal.message(), Map.of(), refusal);
    }

    /** The same refusal in a domain's words, for callers that know only those. */
    public static RefusedException of(Refusal refusal, RefusedException original) {
        return new RefusedException(original.code, String.valueOf(original.getMessage()), original.details, refusal);
    }

    public RefusalCode code() {
        return code;
    }

    /** Details for programs, besides the message. */
    public Map<String, Object> details() {
        return details;
    }

    /** The refusal in terms of claims, if it is about one. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    /**
     * This exception as a refusal.
     *
     * @param what the resource, or what was asked for
     */
    public Refusal asRefusal(String what) {
        return refusal != null ? refusal : new Refusal.ByItsRules(what, code, String.valueOf(getMessage()));
    }
}
