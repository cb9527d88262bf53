package dev.holdfast.broker.dashboard.diff;

/**
 * Lines of a file that a diff leaves out, because they stay as they are.
 *
 * @param from the number of the first in the old content
 * @param to of the last; {@link #END}: all until the end of the file
 * @param shift how much larger their numbers are in the new content
 */
public record Gap(int from, int to, int shift) {
    /** Where the diff does not show how long the file is. */
    public static final int END = Integer.MAX_VALUE;

    /** So many are shown at a time. */
    public static final int STEP = 20;

    /** So many may be shown at once. */
    public static final int MOST = 400;

    public boolean toEnd() {
        return to == END;
    }

    public int size() {
        return to - from + 1;
    }

    boolean has(Gap part) {
        return part.from >= from && part.to <= to && part.from <= part.to;
    }
}
