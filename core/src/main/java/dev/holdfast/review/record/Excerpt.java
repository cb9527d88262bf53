package dev.holdfast.review.record;

/** The beginning of a possibly long text; never splits a character. */
public final class Excerpt {
    private Excerpt() {}

    public static String of(String text, int max) {
        return text.codePointCount(0, text.length()) <= max ? text : text.substring(0, text.offsetByCodePoints(0, max));
    }
}
