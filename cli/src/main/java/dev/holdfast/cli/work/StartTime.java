package dev.holdfast.cli.work;

import dev.holdfast.cli.terminal.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Parses when something may start: {@code 2h}, {@code tomorrow}, {@code 2026-12-24}, or an exact time. */
final class StartTime {
    private StartTime() {}

    /** In the broker's format; anything else is passed on to the broker, which reports what is wrong with it. */
    static @Nullable String moment(@Nullable String said, Instant now) {
        if (said == null || said.isEmpty()) {
            return said;
        }
        ZoneId here = ZoneId.systemDefault();
        if (said.equals("tomorrow")) {
            return beginning(LocalDate.ofInstant(now, here).plusDays(1), here);
        }
        try {
            return beginning(LocalDate.parse(said), here);
        } catch (DateTimeException noDate) {
            // a duration, or an exact time
        }
        try {
            return now.plus(DurationText.parse(said)).toString();
        } catch (IllegalArgumentException noSpan) {
            return said;
        }
    }

    private static String beginning(LocalDate day, ZoneId here) {
        return day.atStartOfDay(here).toInstant().toString();
    }
}
