package dev.holdfast.task;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a call on a finalization can come to; the words of SQL's {@code outcome} and of the log of attempts. */
public enum FinalizationAnswer {
    GRANTED("Successfully claimed for finalization", null),
    EXTENDED("Claim extended", null),
    NOT_FOUND("Task not found", "not_found"),
    ALREADY_COMPLETE("Task already complete", "bad_state"),
    NOT_READY("Task has no completed or failed steps", "not_claimable"),
    ALREADY_CLAIMED("Task already claimed for finalization", "held"),
    RACE_CONDITION("Failed to claim - race condition", "busy"),
    LOST("Claim lost", "lost"),
    RELEASED("Claim released", null),
    NOT_OWNED("Claim is not this processor's", "lost"),
    FINISHED("Task finished", null),
    REPLAYED("Task finished", null),
    REEVALUATE("Steps have changed since; look again", "stale"),
    NOT_FULFILLED("Policy", "bad_state");

    private final String message;
    private final @Nullable String code;

    FinalizationAnswer(String message, @Nullable String code) {
        this.message = message;
        this.code = code;
    }

    /** The answer for people; some go on after these words. */
    String message() {
        return message;
    }

    /** For programs; null when it is no refusal. */
    public @Nullable String code() {
        return code;
    }

    /** Somebody has got what was asked for. */
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
