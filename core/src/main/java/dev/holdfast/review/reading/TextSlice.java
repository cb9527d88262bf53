package dev.holdfast.review.reading;

import org.jspecify.annotations.Nullable;

/**
 * A part of a text that never splits a character. Offsets are in UTF-16 units, as in Java and JavaScript: a character
 * outside the basic plane counts as two.
 *
 * @param text null if there is no text
 * @param to the end, exclusive
 * @param whole the length of the whole text
 */
public record TextSlice(@Nullable String text, int from, int to, int whole) {
    /** Nothing of it was shown, or something else instead. */
    public static final TextSlice NONE = new TextSlice(null, 0, 0, 0);

    /** From this offset on, at most this many characters; never empty while there is more. */
    public static TextSlice of(@Nullable String text, long offset, long limit) {
        if (text == null) {
            return NONE;
        }
        int from = boundary(text, offset);
        int to = boundary(text, Math.min(limit, text.length()) + from);
        if (to == from && from < text.length()) {
            to = text.offsetByCodePoints(from, 1); // otherwise the reader would never get past it
        }
        return new TextSlice(text.substring(from, to), from, to, text.length());
    }

    /** Where the rest begins; null if this is the end. */
    public @Nullable Integer next() {
        return to < whole ? to : null;
    }

    private static int boundary(String text, long at) {
        int index = (int) Math.min(at, text.length());
        boolean inside = index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index));
        return inside ? index - 1 : index;
    }
}
