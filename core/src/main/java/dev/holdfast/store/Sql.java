package dev.holdfast.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One SQL statement with {@code :named} parameters, written so that it can be pasted into psql or sqlite3.
 *
 * <p>SQLite has one writer and no row locks, so {@code FOR UPDATE} is dropped there. It has no arrays, so {@code = ANY
 * (:list)} becomes a lookup in a JSON list. Where statistics can mislead its planner, the comment {@code INDEXED BY
 * ...} takes effect there.
 */
public final class Sql {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");
    private static final Pattern ROW_LOCK = Pattern.compile("FOR UPDATE( SKIP LOCKED)?");
    private static final Pattern WAITS = Pattern.compile("\\b(UPDATE|INSERT|DELETE)\\b|_lock\\(");
    private static final Pattern ANY = Pattern.compile("= ANY \\(\\?\\)");
    /** Of the pages and parts of pages that we show; often with one more, to see whether there is a next page. */
    private static final Set<Integer> USUAL_LENGTHS = Set.of(5, 8, 9, 20, 21, 30, 31, 50, 51, 100, 101);

    /** Callers choose filters and lengths of lists, so there are thousands. */
    private static final Map<String, Sql> COMPOSED = new LruMap<>(1_000);

    private static final Pattern INDEX_HINT = Pattern.compile("/\\* (INDEXED BY [a-z_]+) \\*/");

    private final String postgres;
    private final String sqlite;
    private final Map<String, int[]> positions;
    private final int parameters;
    private final boolean mayWait;

    private Sql(String text) {
        Map<String, List<Integer>> found = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(text);
        int position = 1;
        while (matcher.find()) {
            found.computeIfAbsent(matcher.group(1), _ -> new ArrayList<>()).add(position++);
        }
        parameters = position - 1;
        positions = new HashMap<>();
        found.forEach((name, at) ->
                positions.put(name, at.stream().mapToInt(Integer::intValue).toArray()));
        postgres = PARAMETER.matcher(text).replaceAll("?");
        mayWait = WAITS.matcher(text).find();
        String unlocked = ROW_LOCK.matcher(postgres).replaceAll("");
        String listed = ANY.matcher(unlocked).replaceAll("IN (SELECT value FROM json_each(?))");
        sqlite = INDEX_HINT.matcher(listed).replaceAll("$1");
    }

    public static Sql of(String text) {
        return new Sql(text);
    }

    /**
     * For a text that is put together at each call: the same statement as long as the same text is asked for again.
     */
    public static Sql composed(String text) {
        synchronized (COMPOSED) {
            return COMPOSED.computeIfAbsent(text, Sql::new);
        }
    }

    /**
     * Ends a list that is often asked for, with {@link Parameters#limit}. Usual lengths are written into the statement:
     * if PostgreSQL does not see that few rows are wanted, it plans a long statement again at every call, which takes
     * longer than to run it.
     */
    public static String limit(int max) {
        return " LIMIT " + (USUAL_LENGTHS.contains(max) ? Integer.toString(max) : ":max");
    }

    boolean has(String name) {
        return positions.containsKey(name);
    }

    String text(Engine engine) {
        return switch (engine) {
            case SQLITE -> sqlite;
            case POSTGRES -> postgres;
        };
    }

    /** Whether it may have to wait for another transaction's lock. */
    boolean mayWait() {
        return mayWait;
    }

    /** How many parameter positions there are; a name that is used twice has two. */
    int parameters() {
        return parameters;
    }

    int[] positions(String name) {
        int[] at = positions.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no parameter :" + name + " in " + postgres);
        }
        return at;
    }
}
