package dev.holdfast.broker.doctor;

/** Formats sizes for people: {@code 508 kB}, {@code 62 GB}. */
public final class Sizes {
    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};
    private static final long STEP = 1024;

    private Sizes() {}

    public static String of(long bytes) {
        long size = bytes / STEP;
        int unit = 0;
        while (size >= 10 * STEP && unit < UNITS.length - 1) {
            size /= STEP;
            unit++;
        }
        return (bytes > 0 ? Math.max(1, size) : 0) + " " + UNITS[unit];
    }
}
