package dev.holdfast.broker.dashboard.part;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Times as people say them: how long ago, with the exact time at hand. */
public record When(Instant at, Instant now) {
    private static final DateTimeFormatter EXACT =
            DateTimeFormatter.ofPattern("d MMM uuuu HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    /** The moment that a page was made in. */
    public record Now(Instant at) {
        public When when(Instant moment) {
            return new When(moment, at);
        }
    }

    /** How long ago, such as {@code 41 min}. */
    public String ago() {
        return in(Duration.between(at, now));
    }

    /** The exact time, for whoever points at it. */
    public String exact() {
        return EXACT.format(at);
    }

    /** For machines. */
    public String machine() {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** A length of time in one unit, rounded down: people compare, they do not calculate. */
    public static String in(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min";
        }
        return seconds < 86_400 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
    }
}
