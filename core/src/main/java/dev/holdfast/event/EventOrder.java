package dev.holdfast.event;

import dev.holdfast.store.BusyException;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import dev.holdfast.store.Work;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The id up to which all events are visible: none will appear below it any more. */
interface EventOrder {
    long settled();

    /** As {@link #settled}, with the events after this one, found in the same round trip where possible. */
    Settled settledAfter(long id, Following events);

    /** Reads the events after this id, oldest first, at most a given number. */
    interface Following {
        Pending<List<Event>> ask(Transaction transaction, long id) throws SQLException;
    }

    /** @param following may go beyond the settled id, but lacks nothing up to it */
    record Settled(long id, List<Event> following) {}

    static EventOrder of(Store store) {
        return switch (store.engine()) {
            case SQLITE -> new OneWriter(store);
            case POSTGRES -> new ManyWriters(store);
        };
    }

    /** With one writer, ids are in commit order. */
    record OneWriter(Store store) implements EventOrder {
        private static final Sql LATEST = Sql.of("SELECT coalesce(max(id), 0) AS latest FROM events");

        @Override
        public long settled() {
            return store.read(OneWriter::latest);
        }

        @Override
        public Settled settledAfter(long id, Following events) {
            return store.read(transaction ->
                    new Settled(latest(transaction), events.ask(transaction, id).get()));
        }

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
                WHERE id <> previous + 1 ORDER BY id LIMIT :max
                """);

        /** Both from one snapshot: without holes, everything up to the latest is visible. */
        private static final Sql LATEST = Sql.of("""
                SELECT coalesce(max(id), :settled) AS latest, count(*) FILTER (WHERE id <> previous + 1) AS holes
                FROM (SELECT id, lag(id, 1, :settled) OVER (ORDER BY id) AS previous
                        FROM events WHERE id > :settled) AS ids
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
            return look(transaction -> {
                        Latest seen = askLatest(transaction).get();
                        return new Settled(seen.holes == 0 ? seen.id : beforeHoles(transaction, seen.id), List.of());
                    })
                    .id();
        }

        @Override
        public Settled settledAfter(long id, Following events) {
            return look(transaction -> {
                Pending<Latest> latest = askLatest(transaction);
                Pending<List<Event>> following = events.ask(transaction, id);
                Latest seen = latest.get();
                if (seen.holes == 0) {
                    return new Settled(seen.id, following.get());
                }
                // holes that were filled since then were still missing from what followed
                long settledNow = beforeHoles(transaction, seen.id);
                return new Settled(settledNow, events.ask(transaction, id).get());
            });
        }

        private Settled look(Work<Settled> query) {
            long before = failures;
            synchronized (this) {
                // otherwise those who wait would all ask a database that does not answer, one after the other
                if (failures != before) {
                    throw BusyException.again(Objects.requireNonNull(failed));
                }
                try {
                    Settled seen = store.read(query);
                    settled = seen.id();
                    return seen;
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
        private long beforeHoles(Transaction transaction, long latest) throws SQLException {
            long from = settled;
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

        private record Latest(long id, long holes) {}

        private Pending<Latest> askLatest(Transaction transaction) throws SQLException {
            Pending<Optional<Latest>> latest = transaction.askFirst(
                    LATEST,
                    p -> p.number("settled", settled),
                    row -> new Latest(row.number("latest"), row.number("holes")));
            return () -> latest.get().orElseThrow();
        }

        private static List<Hole> holes(Transaction transaction, long from, long latest) throws SQLException {
            return transaction.list(
                    HOLES,
                    p -> p.number("settled", from).number("latest", latest).number("max", AT_ONCE),
                    row -> new Hole(row.number("previous"), row.number("id")));
        }

        private static List<Writer> writers(Transaction transaction) throws SQLException {
            return transaction.list(WRITERS, _ -> {}, row -> new Writer(row.text("writer"), row.flag("prepared")));
        }
    }
}
