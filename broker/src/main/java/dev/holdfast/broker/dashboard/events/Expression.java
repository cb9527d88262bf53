package dev.holdfast.broker.dashboard.events;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.holdfast.claim.InvalidException;
import java.util.regex.Matcher;

/**
 * A regular expression that somebody typed: it may be invalid, and it may be one that Java's own engine would never
 * finish. The time that RE2 takes depends only on the lengths of the text and the expression.
 */
final class Expression {
    private static final int LONGEST = 200;
    private static final int LONGEST_TEXT = 20_000;
    private static final int LARGEST = 20_000;

    /** A counted repeat of a group or of a single element; the compiler writes it out in full. */
    private static final java.util.regex.Pattern COUNTED =
            java.util.regex.Pattern.compile("(\\))?\\{(\\d{1,4})(?:,(\\d{1,4}))?");

    private final Pattern pattern;
    private long left;

    /**
     * @param steps how much it may do in total: each character it looks at costs as many steps as it has instructions
     * @throws InvalidException if it is invalid or too large
     */
    Expression(String text, long steps) {
        if (text.length() > LONGEST) {
            throw new InvalidException("The expression is longer than " + LONGEST + " characters.");
        }
        if (atMost(text) > LARGEST) {
            throw tooLarge();
        }
        try {
            pattern = Pattern.compile(text, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new InvalidException("Not a valid regular expression: " + e.getDescription() + ".");
        }
        left = steps;
    }

    /** @throws InvalidException if it has used up its steps */
    boolean finds(String text) {
        String seen = text.substring(0, Math.min(text.length(), LONGEST_TEXT));
        left -= (long) pattern.programSize() * (seen.length() + 1);
        if (left < 0) {
            throw tooLarge();
        }
        return pattern.matcher(seen).find();
    }

    /** An upper bound on its number of instructions: assumes that every repeated group is nested in every other. */
    private static long atMost(String text) {
        Matcher counted = COUNTED.matcher(text);
        long size = text.length();
        long times = 1;
        while (counted.find()) {
            int max = Integer.parseInt(counted.group(3) == null ? counted.group(2) : counted.group(3));
            if (counted.group(1) == null) {
                size += max;
            } else {
                times = Math.min(times * Math.max(max, 1), LARGEST + 1L);
            }
        }
        return size * times;
    }

    private static InvalidException tooLarge() {
        return new InvalidException("The expression takes too long; write a shorter one, or one that repeats less.");
    }
}
