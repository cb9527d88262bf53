package dev.holdfast.task;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a call on a finalization can come to, by the words that SQL and Java answer with. */
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

    public String message() {
        return message;
    }

    /** For programs; null when it is no refusal. */
    public @Nullable String code() {
        return code;
    }

    /** The answer with this text; some go on after the first words. */
    static FinalizationAnswer of(String message) {
        return Arrays.stream(values())
                .filter(answer -> message.startsWith(answer.message))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(message));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
