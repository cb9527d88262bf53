package dev.holdfast.broker.verb;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Formats times as everywhere in answers: ISO 8601 in UTC with milliseconds. */
public final class Times {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    public static String text(Instant time) {
        return FORMAT.format(time);
    }
}
