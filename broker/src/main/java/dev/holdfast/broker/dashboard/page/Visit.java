package dev.holdfast.broker.dashboard.page;

import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at a page: what the address says, who looks, and when.
 *
 * @param person who the browser has said it is; null: nobody has been asked yet
 */
public record Visit(Context request, @Nullable Person person, Instant now) {
    /** A part of the path, such as {@code id}. */
    public String path(String name) {
        return request.pathParam(name);
    }

    /** What follows the question mark; null: nothing of that name, or nothing in it. */
    public @Nullable String query(String name) {
        String said = request.queryParam(name);
        return said == null || said.isBlank() ? null : searchable(said);
    }

    /** The same; empty: nothing. */
    public String said(String name) {
        String said = query(name);
        return said == null ? "" : said.strip();
    }

    /** The same as a whole number; null: it is none. */
    public @Nullable Long number(String name) {
        String said = query(name);
        return said == null || !said.matches("[0-9]{1,8}") ? null : Long.valueOf(said);
    }

    public List<String> queries(String name) {
        return request.queryParams(name).stream()
                .filter(one -> !one.isBlank())
                .map(Visit::searchable)
                .toList();
    }

    /** No text that is kept has a NUL, and PostgreSQL does not take a question with one. */
    private static String searchable(String said) {
        return said.replace("\0", "");
    }

    /** Whether an open page reads itself again, because something has changed. */
    public boolean byItself() {
        return request.header("Holdfast-Live") != null;
    }

    /** Whether whoever looks may call a verb. */
    public boolean may(String verb) {
        return Access.of(request).may(verb);
    }

    public String name() {
        return person == null ? "" : person.name();
    }
}
