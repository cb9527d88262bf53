package dev.holdfast.git;

/**
 * What one command gets, and its limits.
 *
 * @param input what it reads
 * @param most the most bytes it may print
 */
record Limits(byte[] input, long most, Patience patience) {
    private static final byte[] NOTHING = {};

    /** More than any broker accepts for review. */
    static final long MOST_OUTPUT = 64L << 20;

    static Limits of(Patience patience) {
        return new Limits(NOTHING, MOST_OUTPUT, patience);
    }

    Limits reading(byte[] text) {
        return new Limits(text, most, patience);
    }

    Limits saying(long atMost) {
        return new Limits(input, atMost, patience);
    }
}
