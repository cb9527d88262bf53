package dev.holdfast.broker.dashboard.events;

import dev.holdfast.claim.InvalidException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A regular expression that somebody typed: it may be wrong, and it may be one that would never finish. */
final class Expression {
    private static final int LONGEST = 200;
    private static final int LONGEST_TEXT = 20_000;

    private final Pattern pattern;
    private long left;

    /**
     * @param steps how many characters it may look at in all
     * @throws InvalidException when it is none
     */
    Expression(String text, long steps) {
        if (text.length() > LONGEST) {
            throw new InvalidException("The expression is longer than " + LONGEST + " characters.");
        }
        try {
            pattern = Pattern.compile(text, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new InvalidException("Not a valid regular expression: " + e.getDescription() + ".");
        }
        left = steps;
    }

    /** @throws InvalidException when it has looked at more than it may */
    boolean finds(String text) {
        try {
            return pattern.matcher(new Counted(text.substring(0, Math.min(text.length(), LONGEST_TEXT))))
                    .find();
        } catch (StackOverflowError _) {
            throw tooSlow();
        }
    }

    private static InvalidException tooSlow() {
        return new InvalidException("The expression takes too long; write it without repeats inside repeats.");
    }

    private final class Counted implements CharSequence {
        private final CharSequence text;

        Counted(CharSequence text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw tooSlow();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.subSequence(start, end));
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
