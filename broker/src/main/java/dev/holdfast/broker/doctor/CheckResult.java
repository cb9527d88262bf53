package dev.holdfast.broker.doctor;

import java.util.Locale;

/**
 * What was looked at, how it is, and what to do.
 *
 * @param advice empty: nothing
 */
public record CheckResult(Level level, String about, String text, String advice) {
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

    static CheckResult ok(String about, String text) {
        return new CheckResult(Level.OK, about, text, "");
    }

    static CheckResult note(String about, String text, String advice) {
        return new CheckResult(Level.NOTE, about, text, advice);
    }

    static CheckResult warning(String about, String text, String advice) {
        return new CheckResult(Level.WARNING, about, text, advice);
    }

    static CheckResult problem(String about, String text, String advice) {
        return new CheckResult(Level.PROBLEM, about, text, advice);
    }
}
