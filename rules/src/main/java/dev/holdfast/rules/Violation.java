package dev.holdfast.rules;

import dev.holdfast.review.diff.Side;

/**
 * What a rule found, and where.
 *
 * @param line of the content on that side, from 1; 0: the file as a whole
 */
public record Violation(String rule, String path, Side side, int line, Severity severity, String message) {
    /** As compilers write it, so that editors find the place. */
    @Override
    public String toString() {
        return path + ":" + line + ": " + rule + ": " + message + (severity == Severity.NOTE ? " (note)" : "")
                + (side == Side.OLD ? " (line of the old content)" : "");
    }

    public boolean blocks() {
        return severity == Severity.SHOULD_FIX;
    }
}
