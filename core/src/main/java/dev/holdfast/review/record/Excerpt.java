package dev.holdfast.review.record;

/** The beginning of a possibly long text; never splits a character. */
public final class Excerpt {
    private Excerpt() {}

    public static String of(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
