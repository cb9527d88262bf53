package dev.holdfast.broker.dashboard.part;

import java.util.Locale;

/** Numbers with one digit after the point, as drawings have them, wherever the broker runs. */
public final class Tenths {
    private Tenths() {}

    public static String of(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
