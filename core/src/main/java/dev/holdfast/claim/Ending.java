package dev.holdfast.claim;

import dev.holdfast.store.Sha256;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a holder lets go.
 *
 * @param outcome one word for people and logs, such as {@code done} or {@code approved}
 * @param content everything that makes this ending what it is; a repeat with the same is a replay, with another a refusal
 * @param note for the next holder
 * @param keepStatus released, but not offered by claim-next again until its status changes
 * @param retryAfter failed, and not to be claimed again before so long; a repeat may ask for another pause
 */
public record Ending(
        How how,
        String outcome,
        String content,
        @Nullable String note,
        boolean keepStatus,
        @Nullable Duration retryAfter) {
    /** The three ways. */
    public enum How {
        RELEASED,
        COMPLETED,
        FAILED;

        private final String word = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return word;
        }
    }

    private static final String HASH_OF_NOTHING = hash("", null, false);

    public Ending {
        Text.limited("outcome", outcome, Text.LONGEST_HOLDER);
        note = note == null ? null : Text.limited("note", note, Text.LONGEST_NOTE);
    }

    public static Ending released(@Nullable String note) {
        return released(note, false);
    }

    public static Ending released(@Nullable String note, boolean keepStatus) {
        return new Ending(How.RELEASED, "", "", note, keepStatus, null);
    }

    public static Ending completed(String outcome) {
        return completed(outcome, "");
    }

    public static Ending completed(String outcome, String content) {
        return new Ending(How.COMPLETED, outcome, content, null, false, null);
    }

    /** @param error for the next holder; null: the previous note stays */
    public static Ending failed(@Nullable String error, @Nullable Duration retryAfter) {
        return new Ending(How.FAILED, "", error == null ? "" : error, error, false, retryAfter);
    }

    /** What is kept to tell a replay from another ending: how, the outcome, and a hash of the rest; the pause is the first's. */
    String signature() {
        boolean plain = content.isEmpty() && note == null && !keepStatus;
        return readable() + "#" + (plain ? HASH_OF_NOTHING : hash(content, note, keepStatus));
    }

    private static String hash(String content, @Nullable String note, boolean keepStatus) {
        return Sha256.hex(content + '\0' + (note == null ? "" : note) + '\0' + keepStatus)
                .substring(0, 16);
    }

    /** What the event of this ending has besides who and when. */
    Map<String, Object> eventDetail(int attempts) {
        Map<String, Object> detail = new TreeMap<>();
        if (!outcome.isEmpty()) {
            detail.put("outcome", outcome);
        }
        if (note != null) {
            detail.put("note", note);
        }
        if (keepStatus) {
            detail.put("keep_status", true);
        }
        if (how == How.FAILED) {
            detail.put("attempts", attempts);
        }
        return detail;
    }

    private String readable() {
        return outcome.isEmpty() ? how.toString() : how + " as " + outcome;
    }

    /** The part of a signature that people can read. */
    static String readable(String signature) {
        return signature.substring(0, signature.lastIndexOf('#'));
    }
}
