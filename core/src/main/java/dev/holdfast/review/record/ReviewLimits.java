package dev.holdfast.review.record;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Size limits for proposals, verdicts and messages.
 *
 * @param diffBytes of a diff or counter-patch in UTF-8
 * @param textCharacters of an intent, description, reason, message or metadata
 */
public record ReviewLimits(int diffBytes, int textCharacters) {
    public static final ReviewLimits DEFAULT = new ReviewLimits(10 << 20, 200_000);

    static final int LONGEST_WORD = 200;

    @Nullable
    public String text(String name, @Nullable String text) {
        return text == null ? null : text(name, text, textCharacters);
    }

    @Nullable
    public String word(String name, @Nullable String text) {
        return text == null ? null : text(name, text, LONGEST_WORD);
    }

    @Nullable
    public String diff(String name, @Nullable String diff) {
        if (diff == null) {
            return null;
        }
        Text.limited(name, diff, Integer.MAX_VALUE);
        int bytes = diff.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > diffBytes) {
            throw new RefusedException(
                    RefusalCode.TOO_LARGE,
                    name + " has " + bytes + " bytes, but the limit is " + diffBytes + "; split the change");
        }
        return diff;
    }

    public static String text(String name, String text, int max) {
        if (text.codePointCount(0, text.length()) > max) {
            throw new RefusedException(RefusalCode.TOO_LARGE, name + " is longer than " + max + " characters");
        }
        return Text.limited(name, text, max);
    }

    public static String required(String name, String text) {
        if (text.isBlank()) {
            throw new InvalidException(name + " must not be blank");
        }
        return text;
    }
}
