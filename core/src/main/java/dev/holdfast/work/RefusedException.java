package dev.holdfast.work;

import dev.holdfast.claim.Refusal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call on work was refused: nothing was changed. The message is for people, the code for programs. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final transient @Nullable Refusal refusal;
    private final transient Map<String, Object> details;

    private RefusedException(String code, String message, @Nullable Refusal refusal, Map<String, Object> details) {
        super(message, null, false, false); // an answer, not a fault: nobody reads its stack
        this.code = code;
        this.refusal = refusal;
        this.details = details;
    }

    RefusedException(String code, String message) {
        this(code, message, null, Map.of());
    }

    static RefusedException of(Refusal refusal) {
        return new RefusedException(refusal.code(), refusal.message(), refusal, Map.of());
    }

    static RefusedException notFound(String id) {
        return new RefusedException(
                "not_found", "there is no work item " + (id.length() <= 60 ? id : id.substring(0, 60) + "…"));
    }

    static RefusedException held(String message, List<Overlap> overlaps) {
        return new RefusedException("held", message, null, Map.of("overlaps", overlaps));
    }

    public String code() {
        return code;
    }

    /** What the claim engine said, if it was that. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    /** Reservations in the way. */
    @SuppressWarnings("unchecked") // only held() puts them
    public List<Overlap> overlaps() {
        return (List<Overlap>) details.getOrDefault("overlaps", List.of());
    }
}
