package dev.holdfast.broker.dashboard.part;

import java.util.Locale;

/** Formats numbers with one decimal, as drawings need them, whatever the broker's locale. */
public final class OneDecimal {
    private OneDecimal() {}

    public static String of(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
