package dev.holdfast.work;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of reservations. The claims say which of them are held. */
final class ReservationTable {
    private static final Sql MAKE_QUEUE =
            Sql.of("INSERT INTO reservation_queues (queue) VALUES (:queue) ON CONFLICT DO NOTHING");

    private static final Sql LOCK_QUEUE =
            Sql.of("SELECT queue FROM reservation_queues WHERE queue = :queue FOR UPDATE");

    private static final Sql INSERT = Sql.of("""
            INSERT INTO reservations (id, queue, exclusive, paths, created_at)
            VALUES (:id, :queue, :exclusive, :paths, :now) ON CONFLICT DO NOTHING
            """);

    private static final Sql FORGET = Sql.of("""
            DELETE FROM reservations WHERE queue = :queue AND NOT
            """ + ClaimSql.isHeld(Kind.RESERVATION, "reservations.id"));

    /** Held reservations; one under another claim only while that is still the grant it was made under. */
    private static final String HELD =
            " FROM reservations v" + ClaimSql.join(Kind.RESERVATION, "v.id", "r") + ClaimSql.joinOuter("r", "o") + """
            WHERE v.queue = :queue AND r.state = 'held' AND (r.outer_key IS NULL OR o.key IS NOT NULL)
            """;

    private static final String WITH_PATHS = """
            SELECT v.id, v.exclusive, v.paths, r.holder, coalesce(o.expires_at, r.expires_at) AS expires_at
            """;

    private static final Sql ALL = Sql.of(WITH_PATHS + HELD + " ORDER BY v.created_at, v.id");

    private static final Sql ONE = Sql.of(WITH_PATHS + HELD + " AND v.id = :id");

    private static final Sql OUTLINES = Sql.of(
            "SELECT v.id, v.exclusive, length(v.paths) AS length, r.holder, coalesce(o.expires_at, r.expires_at) AS expires_at "
                    + HELD + " ORDER BY v.created_at, v.id");

    private static final Sql OF = Sql.of("SELECT id, queue, paths FROM reservations WHERE id = ANY (:ids)");

    private ReservationTable() {}

    /** A held reservation, with only what is cheap to read. */
    record Outline(String id, String holder, boolean exclusive, long length, long expiresAt) {}

    /**
     * @param paths a JSON array of globs
     * @param expiresAt of the claim that keeps it alive
     */
    record Held(String id, String holder, boolean exclusive, String paths, long expiresAt) {
        boolean overlaps(List<Glob> wanted) {
            return collision(wanted).isPresent();
        }

        /** The first of the wanted paths that overlaps one of these, with that one. */
        Optional<Collision> collision(List<Glob> wanted) {
            List<Glob> globs = texts().stream().map(Glob::stored).toList();
            return wanted.stream()
                    .flatMap(one ->
                            globs.stream().filter(one::overlaps).map(other -> new Collision(one.text(), other.text())))
                    .findFirst();
        }

        Overlap overlap() {
            return new Overlap(id, holder, texts(), exclusive, LeaseClock.instant(expiresAt));
        }

        private List<String> texts() {
            return ReservationTable.texts(paths);
        }
    }

    /** Two paths that overlap. */
    record Collision(String wanted, String reserved) {}

    /** Ensures that two concurrent reservations in the same queue see each other. */
    static void lock(Transaction transaction, String queue) throws SQLException {
        transaction.change(MAKE_QUEUE, p -> p.text("queue", queue));
        transaction.first(LOCK_QUEUE, p -> p.text("queue", queue), row -> row.text("queue"));
    }

    static void insert(Transaction transaction, String id, String queue, boolean exclusive, List<Glob> globs)
            throws SQLException {
        long now = transaction.now();
        String paths = JsonMapper.shared()
                .writeValueAsString(globs.stream().map(Glob::text).toList());
        transaction.change(
                INSERT,
                p -> p.text("id", id)
                        .text("queue", queue)
                        .flag("exclusive", exclusive)
                        .text("paths", paths)
                        .time("now", now));
    }

    /** Deletes those that nobody holds any more. */
    static void forget(Transaction transaction, String queue) throws SQLException {
        transaction.change(FORGET, p -> p.text("queue", queue));
    }

    static List<Reservations.Reserved> of(Transaction transaction, Collection<String> ids) throws SQLException {
        return transaction.list(
                OF,
                p -> p.texts("ids", ids),
                row -> new Reservations.Reserved(row.text("id"), row.text("queue"), texts(row.text("paths"))));
    }

    private static List<String> texts(String paths) {
        return JsonMapper.shared().readValue(paths, new TypeReference<List<String>>() {});
    }

    static List<Held> held(Transaction transaction, String queue) throws SQLException {
        return transaction.list(ALL, p -> p.text("queue", queue), ReservationTable::read);
    }

    static Optional<Held> held(Transaction transaction, String queue, String id) throws SQLException {
        return transaction.first(ONE, p -> p.text("queue", queue).text("id", id), ReservationTable::read);
    }

    static List<Outline> outlines(Transaction transaction, String queue) throws SQLException {
        return transaction.list(
                OUTLINES,
                p -> p.text("queue", queue),
                row -> new Outline(
                        row.text("id"),
                        Objects.requireNonNull(row.textOrNull("holder")),
                        row.flag("exclusive"),
                        row.number("length"),
                        row.time("expires_at")));
    }

    private static Held read(Row row) throws SQLException {
        return new Held(
                row.text("id"),
                Objects.requireNonNull(row.textOrNull("holder")),
                row.flag("exclusive"),
                row.text("paths"),
                row.time("expires_at"));
    }
}
