package dev.holdfast.review.diff;

/**
 * The line that a finding is about, or the file.
 *
 * @param path of the file on that side of the diff
 * @param line its number on that side, from 1; {@link #WHOLE_FILE}: none of them, but the file
 * @param text the line itself, by which it is known again
 */
public record Anchor(String path, Side side, int line, String text) {
    /** In the place of a line's number. */
    public static final int WHOLE_FILE = 0;

    boolean isWholeFile() {
        return line == WHOLE_FILE;
    }
}
