package dev.holdfast.broker.doctor;

import java.util.Locale;

/**
 * The result of a check: what was checked, its state, and what to do.
 *
 * @param advice empty: nothing to do
 */
public record CheckResult(Level level, String about, String text, String advice) {
    public enum Level {
        OK,
        /** For information. */
        NOTE,
        /** It works, but something could go wrong or is unfinished. */
        WARNING,
        /** It does not work, or data or secrets are at risk. */
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
