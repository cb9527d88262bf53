package dev.holdfast.broker.dashboard.diff;

/**
 * Lines of a file that a diff leaves out because they do not change.
 *
 * @param from the number of the first one in the old content
 * @param to the number of the last one; {@link #END}: up to the end of the file
 * @param shift how much higher their numbers are in the new content
 */
public record Gap(int from, int to, int shift) {
    /** Used where the diff does not show how long the file is. */
    public static final int END = Integer.MAX_VALUE;

    /** How many lines one request shows. */
    public static final int STEP = 20;

    /** How many lines a request for all of them shows at most. */
    public static final int MAX = 400;

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
