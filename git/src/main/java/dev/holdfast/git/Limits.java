package dev.holdfast.git;

/**
 * What one command gets, and its limits.
 *
 * @param input what it reads
 * @param max the most bytes it may print
 */
record Limits(byte[] input, long max, GitTimeout patience) {
    private static final byte[] NOTHING = {};

    /** More than any broker accepts for review. */
    static final long MAX_OUTPUT = 64L << 20;

    static Limits of(GitTimeout patience) {
        return new Limits(NOTHING, MAX_OUTPUT, patience);
    }

    Limits reading(byte[] text) {
        return new Limits(text, max, patience);
    }

    Limits saying(long atMost) {
        return new Limits(input, atMost, patience);
    }
}
