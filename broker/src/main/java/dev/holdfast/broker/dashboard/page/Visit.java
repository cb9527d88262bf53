package dev.holdfast.broker.dashboard.page;

import dev.holdfast.agent.Caller;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One visit to a page: what the address says, who is looking, and when.
 *
 * @param person who the browser says it is; null: nobody has been asked yet
 * @param by the process that really calls, whoever it says it is; looked up on demand
 */
public record Visit(Context request, @Nullable Person person, Supplier<Caller> by, Instant now) {
    /** A part of the path, such as {@code id}. */
    public String path(String name) {
        return request.pathParam(name);
    }

    /** A parameter of the query; null: it is missing or blank. */
    public @Nullable String query(String name) {
        String said = request.queryParam(name);
        return said == null || said.isBlank() ? null : searchable(said);
    }

    /** The same; empty: it is missing or blank. */
    public String said(String name) {
        String said = query(name);
        return said == null ? "" : said.strip();
    }

    /** The same as a whole number; null: it is not one. */
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

    /** No stored text contains a NUL, and PostgreSQL rejects queries with one. */
    private static String searchable(String said) {
        return said.replace("\0", "");
    }

    /** Whether an open page is refreshing itself because something has changed. */
    public boolean byItself() {
        return request.header("Holdfast-Live") != null;
    }

    /** Whether the visitor may call a verb. */
    public boolean may(String verb) {
        return Access.of(request).may(verb);
    }

    public String name() {
        return person == null ? "" : person.name();
    }
}
