package dev.holdfast.review.diff;

/**
 * The line or file that a finding is about.
 *
 * @param path of the file on that side of the diff
 * @param line its number on that side, from 1; {@link #WHOLE_FILE} if the finding is about the file
 * @param text the line itself, to recognise it by
 */
public record Anchor(String path, Side side, int line, String text) {
    /** Used instead of a line number. */
    public static final int WHOLE_FILE = 0;

    boolean isWholeFile() {
        return line == WHOLE_FILE;
    }
}
