package dev.holdfast.cli.terminal;

import java.time.Duration;

/** Durations as people write them: {@code 90}, {@code 90s}, {@code 45m}, {@code 2h}, {@code 30d}. */
public final class DurationText {
    private DurationText() {}

    /** In seconds when there is no unit. */
    public static Duration parse(String text) {
        int unit = Math.max(0, text.length() - 1);
        char last = text.isEmpty() ? ' ' : text.charAt(unit);
        boolean bare = last >= '0' && last <= '9';
        String digits = bare ? text : text.substring(0, unit);
        if (digits.isEmpty() || digits.length() > 9 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException(text);
        }
        long number = Long.parseLong(digits);
        return switch (bare ? 's' : last) {
            case 's' -> Duration.ofSeconds(number);
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            case 'd' -> Duration.ofDays(number);
            default -> throw new IllegalArgumentException(text);
        };
    }

    /**
     * The two largest units: {@code 12s}, {@code 33m 5s}, {@code 2h 4m}, {@code 3d 1h}. Negative durations count as
     * zero.
     */
    public static String show(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return two(seconds / 3600, "h", seconds % 3600 / 60, "m");
        }
        return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + largeUnit : large + largeUnit + " " + small + smallUnit;
    }
}
