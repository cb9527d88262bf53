package dev.holdfast.event;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

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
     * With many writers an id that is missing may belong to a transaction that is still open:
     *
     * <ol>
     *   <li>All writes that take an event id have a transaction id before they do. So when a hole is seen for the first
     *       time, a transaction id is taken as a mark: whoever could still fill a hole among the ids that are there has a
     *       lower one. (The snapshot's own upper end is no such mark: it is the last transaction that has <em>ended</em>,
     *       and one that began later may have taken a lower event id.)
     *   <li>The hole is waited for until no transaction is open that is older than the mark. If it is still there then,
     *       nobody will ever fill it.
     * </ol>
     */
    final class ManyWriters implements EventOrder {
        private static final int AT_ONCE = 1_000;

        /** At a start, holes are looked for among so many of the latest: nobody keeps an id to itself for longer. */
        private static final long RECENT = 100_000;

        private static final Sql HOLES = Sql.of("""
                SELECT id, previous, pg_snapshot_xmin(snapshot)::text::bigint AS oldest_open
                FROM (SELECT id, lag(id, 1, :settled) OVER (ORDER BY id) AS previous
                        FROM events WHERE id > :settled AND id <= :latest) AS ids
                    CROSS JOIN (SELECT pg_current_snapshot() AS snapshot) AS s
                WHERE id <> previous + 1 ORDER BY id LIMIT :most
                """);

        private static final Sql LATEST = Sql.of("""
                SELECT coalesce(max(id), :settled) AS latest FROM events WHERE id > :settled
                """);

        private static final Sql MARK = Sql.of("SELECT pg_current_xact_id()::text::bigint AS mark");

        private final Store store;
        private long settled;
        private long mark;
        private long markedUpTo;

        ManyWriters(Store store) {
            this.store = store;
            settled = Math.max(0, store.read(OneWriter::latest) - RECENT);
        }

        private record Hole(long previous, long id, long oldestOpen) {}

        @Override
        public synchronized long settled() {
            settled = store.read(this::look);
            return settled;
        }

        private long look(Transaction transaction) throws SQLException {
            long from = settled;
            // before the holes: what commits in between fills one, or is left for the next time
            long latest = latest(transaction, from);
            while (true) {
                List<Hole> holes = holes(transaction, from, latest);
                Optional<Hole> open = holes.stream().filter(this::mayBeFilled).findFirst();
                if (open.isPresent() && open.get().id() <= markedUpTo) {
                    return open.get().previous();
                }
                if (open.isPresent()) {
                    from = open.get().previous();
                    mark(transaction, latest);
                } else if (holes.size() == AT_ONCE) {
                    from = holes.getLast().id();
                } else {
                    return latest;
                }
            }
        }

        private boolean mayBeFilled(Hole hole) {
            return hole.id() > markedUpTo || hole.oldestOpen() < mark;
        }

        /** Whoever has taken an id up to this one is older than the mark. */
        private void mark(Transaction transaction, long latest) throws SQLException {
            mark = transaction.first(MARK, _ -> {}, row -> row.number("mark")).orElseThrow();
            markedUpTo = latest;
        }

        private static long latest(Transaction transaction, long from) throws SQLException {
            return transaction
                    .first(LATEST, p -> p.number("settled", from), row -> row.number("latest"))
                    .orElse(from);
        }

        private static List<Hole> holes(Transaction transaction, long from, long latest) throws SQLException {
            return transaction.list(
                    HOLES,
                    p -> p.number("settled", from).number("latest", latest).number("most", AT_ONCE),
                    row -> new Hole(row.number("previous"), row.number("id"), row.number("oldest_open")));
        }
    }
}
