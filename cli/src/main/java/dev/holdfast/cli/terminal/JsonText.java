package dev.holdfast.cli.terminal;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.git.RepositoryName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fields of the broker's answers, made safe to print. */
public final class JsonText {
    /** An id that the broker made, alone or with the key of a step behind it. */
    private static final Pattern MADE = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\\.|$)");

    private static final Pattern BREAKS = Pattern.compile("(?:[ \\t]*\\R)+[ \\t]*");

    private static final int WHOLE = 36;
    private static final int SHORT = 8;

    private JsonText() {}

    /** In one line, however many it has. */
    public static String text(JsonObject object, String field) {
        String text = object.text(field);
        return text == null ? "?" : Printable.of(BREAKS.matcher(text).replaceAll(" "));
    }

    /** Of a file, whose name may have line ends: with a space in their place it would look like another's. */
    public static String path(JsonObject object) {
        String path = object.text("path");
        return path == null ? "?" : Printable.of(path);
    }

    /** As much of an id as lists show; every door accepts it. Ids that people or other tools chose stay as they are. */
    public static String shortId(JsonObject object, String field) {
        return shortId(text(object, field));
    }

    public static String shortId(String id) {
        return MADE.matcher(id).lookingAt() ? id.substring(0, SHORT) + id.substring(WHOLE) : id;
    }

    /** What is claimed, as short as it can be typed. */
    public static String resource(JsonObject object) {
        String resource = text(object, "resource");
        int id = resource.indexOf(':') + 1;
        return resource.substring(0, id) + shortId(resource.substring(id));
    }

    /** The time from one moment to another; a dash when the broker sent neither. */
    public static String span(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "-" : Span.show(Duration.between(from, to));
    }

    public static @Nullable Instant instant(JsonObject object, String field) {
        String text = object.text(field);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A moment by the clock of whoever reads it: {@code 2026-11-16 14:39:04}. */
    public static String time(JsonObject object, String field) {
        Instant at = instant(object, field);
        return at == null ? text(object, field) : toTheSecond(LocalDateTime.ofInstant(at, ZoneId.systemDefault()));
    }

    /** The same of a moment that stands in a sentence. */
    public static String time(String written) {
        try {
            return toTheSecond(LocalDateTime.ofInstant(Instant.parse(written), ZoneId.systemDefault()));
        } catch (DateTimeException e) {
            return written;
        }
    }

    /** By hand, as a formatter would take longer to load than the rest of a command. */
    private static String toTheSecond(LocalDateTime time) {
        return time.toLocalDate() + " " + time.toLocalTime().withNano(0) + (time.getSecond() == 0 ? ":00" : "");
    }

    public static String ago(JsonObject object, String field, Instant now) {
        Instant at = instant(object, field);
        return at == null ? "-" : span(at, now) + " ago";
    }

    /** A project by its key, however somebody wrote it: people read one name of it everywhere. */
    public static String project(JsonObject object, String field) {
        String project = object.text(field);
        return project == null || project.isBlank() ? "-" : Printable.of(RepositoryName.key(project));
    }

    public static String orDash(JsonObject object, String field) {
        String text = object.text(field);
        return text == null || text.isEmpty() ? "-" : Printable.of(text);
    }
}
