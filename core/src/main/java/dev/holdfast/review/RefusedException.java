package dev.holdfast.review;

import java.util.Map;

/** A call on a review was refused: nothing was changed. The message is for people, the code for programs. */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final transient Map<String, Object> details;

    public RefusedException(String code, String message) {
        this(code, message, Map.of());
    }

    public RefusedException(String code, String message, Map<String, Object> details) {
        super(message, null, false, false); // an answer, not a fault: nobody reads its stack
        this.code = code;
        this.details = details;
    }

    static RefusedException notFound(String id) {
        return new RefusedException("not_found", "Review not found: " + id);
    }

    public String code() {
        return code;
    }

    /** What a program may want to know beside the text. */
    public Map<String, Object> details() {
        return details;
    }
}
