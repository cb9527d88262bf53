package dev.holdfast.event;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
     * With many writers an id that is missing may belong to a transaction that is still open, and only to one that can
     * still bring it:
     *
     * <ol>
     *   <li>Whoever inserts into {@code events} has locked the table (RowExclusiveLock) before it draws an id, and keeps
     *       the lock until its transaction has ended and everybody can see what it did. Ids are drawn in order. So whoever
     *       owns an id that is missing below one that can be seen either has that lock, or has ended.
     *   <li>When a hole is seen, those who have the lock are noted; then it is looked for once more. If it is still there
     *       it is one of theirs, or nobody's.
     *   <li>The hole is waited for until all who were noted have let go of the lock. If it is still there after that,
     *       nobody will ever fill it.
     * </ol>
     *
     * <p>What is written in other databases and other tables holds up nobody. A transaction that has been prepared for a
     * commit in two phases has the lock under another name than before, so every one of those is waited for.
     */
    final class ManyWriters implements EventOrder {
        private static final int AT_ONCE = 1_000;

        /** At a start, holes are looked for among so many of the latest: nobody keeps an id to itself for longer. */
        private static final long RECENT = 100_000;

        private static final Sql HOLES = Sql.of("""
                SELECT id, previous
                FROM (SELECT id, lag(id, 1, :settled) OVER (ORDER BY id) AS previous
                        FROM events WHERE id > :settled AND id <= :latest) AS ids
                WHERE id <> previous + 1 ORDER BY id LIMIT :most
                """);

        private static final Sql LATEST = Sql.of("""
                SELECT coalesce(max(id), :settled) AS latest FROM events WHERE id > :settled
                """);

        /** No snapshot is involved: these are the locks at the time of reading, and none that stays is left out. */
        private static final Sql WRITERS = Sql.of("""
                SELECT virtualtransaction AS writer, virtualtransaction LIKE '-1/%' AS prepared FROM pg_locks
                WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
                    AND relation = 'events'::regclass
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """);

        private final Store store;
        private long settled;
        private Set<String> noted = Set.of();
        /** Whoever owns a hole up to this id is among those noted, or has ended. */
        private long notedUpTo;

        ManyWriters(Store store) {
            this.store = store;
            settled = Math.max(0, store.read(OneWriter::latest) - RECENT);
        }

        private record Hole(long previous, long id) {}

        private record Writer(String name, boolean prepared) {}

        @Override
        public synchronized long settled() {
            settled = store.read(this::look);
            return settled;
        }

        /** Each statement sees what was committed before it began: the order of the statements is what makes this right. */
        private long look(Transaction transaction) throws SQLException {
            long from = settled;
            long latest = latest(transaction, from);
            if (holes(transaction, from, latest).isEmpty()) {
                return latest;
            }
            // after the latest was seen: everything below it has been drawn
            List<Writer> writers = writers(transaction);
            // after the writers: who is not among them can be seen by now, or has brought nothing
            while (true) {
                List<Hole> holes = holes(transaction, from, latest);
                for (Hole hole : holes) {
                    if (mayBeFilled(hole, writers, latest)) {
                        return hole.previous();
                    }
                }
                if (holes.size() < AT_ONCE) {
                    return latest;
                }
                from = holes.getLast().id();
            }
        }

        private boolean mayBeFilled(Hole hole, List<Writer> writers, long latest) {
            if (hole.id() > notedUpTo) {
                noted = writers.stream().map(Writer::name).collect(Collectors.toSet());
                notedUpTo = latest;
            }
            return writers.stream().anyMatch(writer -> writer.prepared() || noted.contains(writer.name()));
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
                    row -> new Hole(row.number("previous"), row.number("id")));
        }

        private static List<Writer> writers(Transaction transaction) throws SQLException {
            return transaction.list(WRITERS, _ -> {}, row -> new Writer(row.text("writer"), row.flag("prepared")));
        }
    }
}
