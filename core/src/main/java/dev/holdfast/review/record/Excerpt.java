package dev.holdfast.review.record;

/** The beginning of a text that may be long, no character cut in half. */
public final class Excerpt {
    private Excerpt() {}

    public static String of(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
