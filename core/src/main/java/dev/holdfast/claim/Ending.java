package dev.holdfast.claim;

import dev.holdfast.store.Sha256;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a holder ends its claim.
 *
 * @param outcome one word for people and logs, such as {@code done} or {@code approved}
 * @param content identifies this ending: a repeat with the same content is a replay, one with different content is
 *     refused
 * @param note a handoff note for the next holder
 * @param keepStatus release, but keep it out of claim-next until its status changes
 * @param retryAfter after a failure, how long it cannot be claimed; a repeat may give a different delay
 */
public record Ending(
        How how,
        String outcome,
        String content,
        @Nullable String note,
        boolean keepStatus,
        @Nullable Duration retryAfter) {
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

    /** @param error a note for the next holder; null: keep the previous note */
    public static Ending failed(@Nullable String error, @Nullable Duration retryAfter) {
        return new Ending(How.FAILED, "", error == null ? "" : error, error, false, retryAfter);
    }

    /**
     * What is stored to tell a replay from a different ending: how it ended, the outcome, and a hash of the rest. The
     * retry delay is not part of it; the first call's counts.
     */
    String signature() {
        boolean plain = content.isEmpty() && note == null && !keepStatus;
        return readable() + "#" + (plain ? HASH_OF_NOTHING : hash(content, note, keepStatus));
    }

    private static String hash(String content, @Nullable String note, boolean keepStatus) {
        return Sha256.hex(content + '\0' + (note == null ? "" : note) + '\0' + keepStatus)
                .substring(0, 16);
    }

    /** The event's detail, besides who and when. */
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

    /** The human-readable part of a signature. */
    static String readable(String signature) {
        return signature.substring(0, signature.lastIndexOf('#'));
    }
}
