package dev.holdfast.broker.doctor;

import java.util.Locale;

/**
 * What was looked at, how it is, and what to do.
 *
 * @param advice empty: nothing
 */
public record Finding(Level level, String about, String text, String advice) {
    /** How bad it is. */
    public enum Level {
        OK,
        /** Good to know. */
        NOTE,
        /** It works, but something could go wrong, or be left undone. */
        WARNING,
        /** It does not work, or data or secrets are in danger. */
        PROBLEM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String about, String text) {
        return new Finding(Level.OK, about, text, "");
    }

    static Finding note(String about, String text, String advice) {
        return new Finding(Level.NOTE, about, text, advice);
    }

    static Finding warning(String about, String text, String advice) {
        return new Finding(Level.WARNING, about, text, advice);
    }

    static Finding problem(String about, String text, String advice) {
        return new Finding(Level.PROBLEM, about, text, advice);
    }
}
