package dev.holdfast.rules;

import dev.holdfast.review.diff.Side;

/**
 * What a rule found, and where.
 *
 * @param line its number on that side, from 1; 0: the whole file
 */
public record Violation(String rule, String path, Side side, int line, Severity severity, String message) {
    /** In the format of compiler messages, so that editors find the place. */
    @Override
    public String toString() {
        return path + ":" + line + ": " + rule + ": " + message + (severity == Severity.NOTE ? " (note)" : "")
                + (side == Side.OLD ? " (line of the old content)" : "");
    }

    public boolean blocks() {
        return severity == Severity.SHOULD_FIX;
    }
}
