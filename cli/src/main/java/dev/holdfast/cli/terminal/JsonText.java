package dev.holdfast.cli.terminal;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.git.RepositoryName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fields of the broker's answers, made safe to print. */
public final class JsonText {
    /** An id created by the broker, alone or followed by the key of a step. */
    private static final Pattern MADE = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\\.|$)");

    private static final Pattern BREAKS = Pattern.compile("(?:[ \\t]*\\R)+[ \\t]*");

    private static final int WHOLE = 36;
    private static final int SHORT = 8;

    private JsonText() {}

    /** On one line, even if it has several. */
    public static String text(JsonObject object, String field) {
        String text = object.text(field);
        return text == null ? "?" : Printable.of(BREAKS.matcher(text).replaceAll(" "));
    }

    /** For a file, whose name may contain line breaks: replaced by spaces, it would look like another file's. */
    public static String path(JsonObject object) {
        String path = object.text("path");
        return path == null ? "?" : Printable.of(path);
    }

    /**
     * An id in the short form of lists, which is accepted everywhere. Ids chosen by people or other tools stay as they
     * are.
     */
    public static String shortId(JsonObject object, String field) {
        return shortId(text(object, field));
    }

    public static String shortId(String id) {
        return MADE.matcher(id).lookingAt() ? id.substring(0, SHORT) + id.substring(WHOLE) : id;
    }

    /** The claimed resource, in the shortest form that can be typed. */
    public static String resource(JsonObject object) {
        String resource = text(object, "resource");
        int id = resource.indexOf(':') + 1;
        return resource.substring(0, id) + shortId(resource.substring(id));
    }

    /** The time between two moments; a dash when one is missing. */
    public static String span(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "-" : DurationText.show(Duration.between(from, to));
    }

    public static @Nullable Instant instant(JsonObject object, String field) {
        String text = object.text(field);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A time in the reader's time zone: {@code 2026-11-16 14:39:04}. */
    public static String time(JsonObject object, String field) {
        Instant at = instant(object, field);
        return at == null ? text(object, field) : toTheSecond(here(at));
    }

    /** The same for a time within a sentence. */
    public static String time(String written) {
        try {
            return toTheSecond(here(Instant.parse(written)));
        } catch (DateTimeException e) {
            return written;
        }
    }

    /** Not by java.time's zones: to look for them, Java opens every jar, which takes 5 ms. */
    private static LocalDateTime here(Instant at) {
        int offset = TimeZone.getDefault().getOffset(at.getEpochSecond() * 1_000) / 1_000;
        return LocalDateTime.ofInstant(at, ZoneOffset.ofTotalSeconds(offset));
    }

    /** Done by hand: a formatter would take longer to load than the rest of a command. */
    private static String toTheSecond(LocalDateTime time) {
        return time.toLocalDate() + " " + time.toLocalTime().withNano(0) + (time.getSecond() == 0 ? ":00" : "");
    }

    public static String ago(JsonObject object, String field, Instant now) {
        Instant at = instant(object, field);
        return at == null ? "-" : span(at, now) + " ago";
    }

    /** A project's key, however somebody spelled it: people see the same name everywhere. */
    public static String project(JsonObject object, String field) {
        String project = object.text(field);
        return project == null || project.isBlank() ? "-" : Printable.of(RepositoryName.key(project));
    }

    public static String orDash(JsonObject object, String field) {
        String text = object.text(field);
        return text == null || text.isEmpty() ? "-" : Printable.of(text);
    }
}
