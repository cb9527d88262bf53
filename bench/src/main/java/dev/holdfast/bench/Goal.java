package dev.holdfast.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an entry must achieve.
 *
 * @param against the entry of the same round to divide by; null: the figure itself is judged
 */
record Goal(String entry, @Nullable String against, Sense sense, double bound) {
    enum Sense {
        AT_LEAST,
        AT_MOST
    }

    static Goal atLeast(double bound, String entry, String against) {
        return new Goal(entry, against, Sense.AT_LEAST, bound);
    }

    static Goal atMost(double bound, String entry, @Nullable String against) {
        return new Goal(entry, against, Sense.AT_MOST, bound);
    }

    boolean metBy(double value) {
        return switch (sense) {
            case AT_LEAST -> value >= bound;
            case AT_MOST -> value <= bound;
        };
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %.2f", sense == Sense.AT_LEAST ? ">=" : "<=", bound);
    }
}
