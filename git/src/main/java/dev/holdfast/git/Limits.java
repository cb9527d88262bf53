package dev.holdfast.git;

/**
 * What one command gets, and its limits.
 *
 * @param input what it reads
 * @param max the most bytes it may print
 * @param memory the most bytes it may have in memory, where the system tells (Linux)
 */
record Limits(byte[] input, long max, long memory, GitTimeout patience) {
    private static final byte[] NOTHING = {};

    /** More than any broker accepts for review. */
    static final long MAX_OUTPUT = 64L << 20;

    /**
     * For what callers send. A few megabytes of it can stand for many gigabytes: a binary patch is compressed, and a
     * copy repeats a file of the repository in a hundred bytes.
     */
    static final long MAX_MEMORY = 512L << 20;

    static Limits of(GitTimeout patience) {
        return new Limits(NOTHING, MAX_OUTPUT, Long.MAX_VALUE, patience);
    }

    Limits reading(byte[] text) {
        return new Limits(text, max, memory, patience);
    }

    Limits saying(long atMost) {
        return new Limits(input, atMost, memory, patience);
    }

    Limits taking(long atMost) {
        return new Limits(input, max, atMost, patience);
    }
}
