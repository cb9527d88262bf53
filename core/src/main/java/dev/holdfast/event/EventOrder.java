package dev.holdfast.event;

import dev.holdfast.store.BusyException;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The id up to which all events are visible: none will appear below it any more. */
interface EventOrder {
    long settled();

    static EventOrder of(Store store) {
        return switch (store.engine()) {
            case SQLITE -> () -> store.read(OneWriter::latest);
            case POSTGRES -> new ManyWriters(store);
        };
    }

    /** With one writer, ids are in commit order. */
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
     * With many writers, a missing id may belong to a transaction that is still open. It is waited for only as long as
     * some transaction can still commit it:
     *
     * <ol>
     *   <li>A transaction that inserts into {@code events} locks the table (RowExclusiveLock) before it draws an id,
     *       and keeps the lock until it has ended and its changes are visible to everybody. Ids are drawn in order. So
     *       the owner of an id that is missing below a visible one either holds that lock or has ended.
     *   <li>When a hole is seen, the current holders of the lock are recorded; then the hole is looked for once more.
     *       If it is still there, it belongs to one of them, or to nobody.
     *   <li>The hole is waited for until all recorded holders have released the lock. If it is still there after that,
     *       nobody will ever fill it.
     * </ol>
     *
     * <p>Writes to other databases and other tables do not delay anything. A transaction prepared for two-phase commit
     * holds the lock under another name than before, so every prepared transaction is waited for.
     */
    final class ManyWriters implements EventOrder {
        private static final int AT_ONCE = 1_000;

        /**
         * At startup, holes are looked for among this many of the latest ids: no transaction keeps an id for longer.
         */
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

        /**
         * Does not depend on a snapshot: these are the locks at the time of reading, and a lock that is held throughout
         * is never missed.
         */
        private static final Sql WRITERS = Sql.of("""
                SELECT virtualtransaction AS writer, virtualtransaction LIKE '-1/%' AS prepared FROM pg_locks
                WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
                    AND relation = 'events'::regclass
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """);

        private final Store store;
        private long settled;
        private volatile long failures;
        private @Nullable BusyException failed;
        private Set<String> noted = Set.of();
        /** The owner of any hole up to this id is among those recorded, or has ended. */
        private long notedUpTo;

        ManyWriters(Store store) {
            this.store = store;
            settled = Math.max(0, store.read(OneWriter::latest) - RECENT);
        }

        private record Hole(long previous, long id) {}

        private record Writer(String name, boolean prepared) {}

        @Override
        public long settled() {
            long before = failures;
            synchronized (this) {
                // otherwise those who wait would all ask a database that does not answer, one after the other
                if (failures != before) {
                    throw BusyException.again(Objects.requireNonNull(failed));
                }
                try {
                    settled = store.read(this::look);
                    return settled;
                } catch (BusyException e) {
                    failed = e;
                    failures++;
                    throw e;
                }
            }
        }

        /**
         * Each statement sees what was committed before it began; correctness depends on the order of the statements.
         */
        private long look(Transaction transaction) throws SQLException {
            long from = settled;
            long latest = latest(transaction, from);
            if (holes(transaction, from, latest).isEmpty()) {
                return latest;
            }
            // after reading the latest id: all ids below it have been drawn
            List<Writer> writers = writers(transaction);
            // after reading the writers: a writer not among them is visible by now, or has added nothing
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
