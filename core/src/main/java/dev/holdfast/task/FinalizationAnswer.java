package dev.holdfast.task;

import dev.holdfast.claim.RefusalCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The possible outcomes of a call on a finalization; the same words as SQL's {@code outcome} and the log of attempts.
 */
public enum FinalizationAnswer {
    GRANTED("Successfully claimed for finalization", null),
    EXTENDED("Claim extended", null),
    NOT_FOUND("Task not found", RefusalCode.NOT_FOUND),
    ALREADY_COMPLETE("Task already complete", RefusalCode.BAD_STATE),
    NOT_READY("Task has no completed or failed steps", RefusalCode.NOT_CLAIMABLE),
    ALREADY_CLAIMED("Task already claimed for finalization", RefusalCode.HELD),
    RACE_CONDITION("Failed to claim - race condition", RefusalCode.BUSY),
    LOST("Claim lost", RefusalCode.LOST),
    RELEASED("Claim released", null),
    NOT_OWNED("Claim is not this processor's", RefusalCode.LOST),
    FINISHED("Task finished", null),
    REPLAYED("Task finished", null),
    REEVALUATE("Steps have changed since; look again", RefusalCode.STALE),
    NOT_FULFILLED("Policy", RefusalCode.BAD_STATE);

    private final String message;
    private final @Nullable RefusalCode code;

    FinalizationAnswer(String message, @Nullable RefusalCode code) {
        this.message = message;
        this.code = code;
    }

    /** The answer for people; some messages continue after these words. */
    String message() {
        return message;
    }

    /** For programs; null if it is not a refusal. */
    public @Nullable RefusalCode code() {
        return code;
    }

    /** Whether the caller now holds the claim, or has ended the task. */
    boolean granted() {
        return switch (this) {
            case GRANTED, EXTENDED, FINISHED, REPLAYED -> true;
            case NOT_FOUND,
                    ALREADY_COMPLETE,
                    NOT_READY,
                    ALREADY_CLAIMED,
                    RACE_CONDITION,
                    LOST,
                    RELEASED,
                    NOT_OWNED,
                    REEVALUATE,
                    NOT_FULFILLED -> false;
        };
    }

    static FinalizationAnswer of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
