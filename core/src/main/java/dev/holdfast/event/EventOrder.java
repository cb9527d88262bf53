package dev.holdfast.event;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;

/** Up to which id everything that will ever be is already there. */
interface EventOrder {
    long settled();

    static EventOrder of(Store store) {
        return switch (store.engine()) {
            case SQLITE -> () -> store.read(OneWriter::latest);
            case POSTGRES -> new ManyWriters(store);
        };
    }

    /** With one writer, ids are in the order of commits. */
    final class OneWriter {
        private static final Sql LATEST = Sql.of("SELECT coalesce(max(id), 0) AS latest FROM events");

        private OneWriter() {}

        static long latest(Transaction transaction) throws SQLException {
            return transaction
                    .first(LATEST, _ -> {}, row -> row.number("latest"))
                    .orElse(0L);
        }
    }

    /**
     * With many writers an id that is missing may belong to a transaction that is still open. It is waited for until
     * every transaction that was open when the hole was first seen has ended: all writes that take an event id have a
     * transaction id before they do.
     */
    final class ManyWriters implements EventOrder {
        private static final Sql HOLES = Sql.of("""
                SELECT id, previous, pg_snapshot_xmin(snapshot)::text::bigint AS oldest_open,
                       pg_snapshot_xmax(snapshot)::text::bigint AS next_to_open
                FROM (SELECT id, lag(id, 1, :settled) OVER (ORDER BY id) AS previous FROM events WHERE id > :settled) AS ids
                    CROSS JOIN (SELECT pg_current_snapshot() AS snapshot) AS s
                WHERE id <> previous + 1 ORDER BY id LIMIT 1000
                """);

        private static final Sql LATEST = Sql.of("""
                SELECT coalesce(max(id), :settled) AS latest FROM events WHERE id > :settled
                """);

        private final Store store;
        private long settled;
        private long holeAfter = -1;
        private long openWhenSeen;

        ManyWriters(Store store) {
            this.store = store;
            settled = store.read(OneWriter::latest);
        }

        private record Hole(long previous, long id, long oldestOpen, long nextToOpen) {}

        @Override
        public synchronized long settled() {
            settled = store.read(this::look);
            return settled;
        }

        private long look(Transaction transaction) throws SQLException {
            long from = settled;
            // before the holes: what commits in between shows as a hole or not at all
            long latest = transaction
                    .first(LATEST, p -> p.number("settled", from), row -> row.number("latest"))
                    .orElse(from);
            List<Hole> holes = transaction.list(
                    HOLES,
                    p -> p.number("settled", from),
                    row -> new Hole(
                            row.number("previous"),
                            row.number("id"),
                            row.number("oldest_open"),
                            row.number("next_to_open")));
            for (Hole hole : holes) {
                if (hole.id() > latest) {
                    break;
                }
                if (hole.previous() != holeAfter) {
                    holeAfter = hole.previous();
                    openWhenSeen = hole.nextToOpen();
                }
                if (hole.oldestOpen() < openWhenSeen) {
                    return hole.previous();
                }
            }
            return latest;
        }
    }
}
