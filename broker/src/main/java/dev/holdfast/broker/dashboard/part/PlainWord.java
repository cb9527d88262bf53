package dev.holdfast.broker.dashboard.part;

import dev.holdfast.task.Policy;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How people read the words that programs send: {@code code_change} is "code change". */
public final class PlainWord {
    private static final Pattern SENT = Pattern.compile("[a-z]+(_[a-z]+)+");

    private PlainWord() {}

    /** Any other text stays as it is. */
    public static String of(@Nullable String word) {
        return switch (word) {
            case null -> "";
            case "step_failed_attempt" -> "step attempt failed";
            default -> SENT.matcher(word).matches() ? word.replace('_', ' ') : word;
        };
    }

    public static String of(Policy policy) {
        return switch (policy) {
            case ALL_SUCCEEDED -> "all must succeed";
            case ALL_SETTLED -> "failures allowed";
            case FAIL_FAST -> "stops at a failure";
        };
    }
}
