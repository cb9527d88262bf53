package dev.holdfast.broker.dashboard.part;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as people say them: how long ago, with the exact time available. */
public record When(Instant at, Instant now) {
    private static final DateTimeFormatter EXACT =
            DateTimeFormatter.ofPattern("d MMM uuuu HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private static final Pattern ISO = Pattern.compile(
            "(since |until |at )?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?Z)");

    /** The moment at which a page was made. */
    public record Now(Instant at) {
        public When when(Instant moment) {
            return new When(moment, at);
        }
    }

    /** How long ago, such as {@code 41 min}. */
    public String ago() {
        return in(Duration.between(at, now));
    }

    /** The exact time, for a tooltip. */
    public String exact() {
        return EXACT.format(at);
    }

    /** For machines. */
    public String machine() {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Replaces machine-readable times in a sentence with words. Names that only look like times stay. */
    public static String inWords(String sentence, Instant now) {
        return ISO.matcher(sentence).replaceAll(found -> {
            try {
                return inWords(found.group(1), Instant.parse(found.group(2)), now);
            } catch (DateTimeParseException _) {
                return found.group();
            }
        });
    }

    private static String inWords(@Nullable String before, Instant at, Instant now) {
        Duration from = Duration.between(at, now);
        return switch (before) {
            case "since " -> "for " + in(from);
            case "until " -> "until " + (from.abs().toHours() < 12 ? CLOCK : EXACT).format(at);
            case null, default -> from.isNegative() ? "in " + in(from.negated()) : in(from) + " ago";
        };
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
