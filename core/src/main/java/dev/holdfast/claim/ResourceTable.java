package dev.holdfast.claim;

import dev.holdfast.store.Parameters;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of {@code resources}, row by row. */
final class ResourceTable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final Sql LOCK = Sql.of("SELECT * FROM resources WHERE key = :key FOR UPDATE");
    private static final Sql LOCK_UNLESS_SOFT =
            Sql.of("SELECT * FROM resources WHERE key = :key AND outer_key IS NULL FOR UPDATE");
    private static final Sql LOOK = Sql.of("SELECT * FROM resources WHERE key = :key");

    private static final Sql LOOK_ALL = Sql.of("SELECT * FROM resources WHERE key = ANY (:keys)");

    /** What other brokers have changed lately, other than by a grant. */
    private static final Sql FREED_BY_OTHERS = Sql.of("""
            SELECT * FROM resources WHERE key IN (
                SELECT resource FROM events
                WHERE id > :after AND origin <> :origin AND type NOT IN ('claimed', 'taken_over') ORDER BY id LIMIT :max)
            """);

    private static final Sql LOCK_ALL =
            Sql.of("SELECT * FROM resources WHERE key = ANY (:keys) ORDER BY key FOR UPDATE");

    private static final Sql INSERT = Sql.of("""
            INSERT INTO resources (key, kind, queue, priority, labels, most_attempts,
                state, not_before, kept, barred, holder, generation, acquired_at, renewed_at, expires_at, lease, confirmed,
                request_id, outer_key, outer_generation, ended_generation, ended_by, ended_as, attempts, ready_since, note)
            VALUES (:key, :kind, :queue, :priority, :labels, :most_attempts,
                :state, :not_before, :kept, :barred, :holder, :generation, :acquired_at, :renewed_at, :expires_at, :lease, :confirmed,
                :request_id, :outer_key, :outer_generation, :ended_generation, :ended_by, :ended_as, :attempts, :ready_since, :note)
            ON CONFLICT (key) DO NOTHING RETURNING seq
            """);

    private static final Sql UPDATE = Sql.of("""
            UPDATE resources SET
                state = :state, not_before = :not_before, kept = :kept, barred = :barred, holder = :holder, generation = :generation,
                acquired_at = :acquired_at, renewed_at = :renewed_at, expires_at = :expires_at, lease = :lease,
                confirmed = :confirmed, request_id = :request_id, outer_key = :outer_key,
                outer_generation = :outer_generation, ended_generation = :ended_generation, ended_by = :ended_by,
                ended_as = :ended_as, attempts = :attempts, ready_since = :ready_since, note = :note
            WHERE key = :key
            """);

    private static final Sql SORT =
            Sql.of("UPDATE resources SET queue = :queue, priority = :priority, labels = :labels WHERE key = :key");

    private static final Sql HELD_COUNT =
            Sql.of("SELECT count(*) AS held FROM resources WHERE state = 'held' AND holder = :holder AND kind = :kind");

    private static final Sql FLOOR = Sql.of("SELECT generation FROM generation_floor");

    /** Only the broker itself renews or releases its identity, never together with the holder's other claims. */
    private static final String HELD_BY_ONE =
            "SELECT * FROM resources WHERE state = 'held' AND holder = :holder AND kind <> 'broker'";

    private static final Sql HELD_BY = Sql.of(HELD_BY_ONE + " ORDER BY key FOR UPDATE");

    private static final Sql SEEN_HELD_BY = Sql.of(HELD_BY_ONE);

    // key || '' forces a sort: reading in key order would walk the index over everything finished
    private static final Sql EXPIRED = Sql.of("""
            SELECT * FROM resources WHERE state = 'held' AND expires_at <= :now
            ORDER BY key || '' LIMIT :max FOR UPDATE SKIP LOCKED
            """);

    private static final Sql EXPIRED_KEYS = Sql.of("""
            SELECT key FROM resources WHERE state = 'held' AND expires_at <= :now ORDER BY key || '' LIMIT :max
            """);

    private static final Sql EXPIRED_ONE = Sql.of("""
            SELECT * FROM resources WHERE key = :key AND state = 'held' AND expires_at <= :now FOR UPDATE SKIP LOCKED
            """);

    private static final Sql ORPHANED_SOFT = Sql.of("""
            SELECT r.key FROM resources r LEFT JOIN resources o
                ON o.key = r.outer_key AND o.state = 'held' AND o.generation = r.outer_generation AND o.holder = r.holder
                    AND o.outer_key IS NULL
            WHERE r.state = 'held' AND r.outer_key IS NOT NULL AND o.key IS NULL
            ORDER BY r.key || '' LIMIT :max
            """);

    private static final Sql MAKE_DUE =
            Sql.of("UPDATE resources SET not_before = NULL WHERE state = 'ready' AND not_before <= :now RETURNING *");

    private static final Sql MAKE_ONE_DUE = Sql.of("""
            UPDATE resources SET not_before = NULL WHERE key = :key AND state = 'ready' AND not_before <= :now RETURNING *
            """);

    private static final Sql DUE_KEYS =
            Sql.of("SELECT key FROM resources WHERE state = 'ready' AND not_before <= :now ORDER BY not_before");

    private static final Sql NEXT_DUE =
            Sql.of("SELECT min(not_before) AS next FROM resources WHERE state = 'ready' AND not_before IS NOT NULL");

    private static final Sql IDLE = Sql.of("""
            SELECT key FROM resources
            WHERE state = 'ready' AND kind IN ('path', 'key', 'reservation', 'broker') AND ready_since < :before
            ORDER BY ready_since LIMIT :max
            """);

    private static final Sql LOCK_IDLE = Sql.of("""
            SELECT key, generation FROM resources
            WHERE key = ANY (:keys) AND state = 'ready' AND kind IN ('path', 'key', 'reservation', 'broker')
                AND ready_since < :before
            ORDER BY key FOR UPDATE SKIP LOCKED
            """);

    private static final Sql DELETE = Sql.of("DELETE FROM resources WHERE key = ANY (:keys)");

    private static final Sql RAISE_FLOOR =
            Sql.of("UPDATE generation_floor SET generation = :generation WHERE generation < :generation");

    private static final Sql DISPLACE = Sql.of("""
            INSERT INTO displacements (holder, resource, generation, reason, at)
            VALUES (:holder, :resource, :generation, :reason, :at) ON CONFLICT DO NOTHING
            """);

    private static final Sql DISPLACED = Sql.of(
            "SELECT resource, generation, reason FROM displacements WHERE holder = :holder ORDER BY resource, generation");

    private static final Sql TOLD = Sql.of(
            "DELETE FROM displacements WHERE holder = :holder AND resource = :resource AND generation = :generation");

    private static final Sql FORGET = Sql.of("DELETE FROM displacements WHERE at < :before");

    private ResourceTable() {}

    /** Locks and returns the row; empty if there is none. */
    static Optional<ResourceRow> lock(Transaction transaction, String key) throws SQLException {
        return askLock(transaction, key).get();
    }

    /** As {@link #lock}, but skips a row that is held softly, because its outer claim must be locked first. */
    static Optional<ResourceRow> lockUnlessSoft(Transaction transaction, String key) throws SQLException {
        return ask(transaction, LOCK_UNLESS_SOFT, key).get();
    }

    /** As {@link #lock}, but sent in one round trip with other queries, including one for the time of locking. */
    static Pending<Optional<ResourceRow>> askLock(Transaction transaction, String key) throws SQLException {
        return ask(transaction, LOCK, key);
    }

    private static Pending<Optional<ResourceRow>> ask(Transaction transaction, Sql lock, String key)
            throws SQLException {
        Pending<Optional<ResourceRow>> locked =
                transaction.askFirst(lock, p -> p.text("key", key), ResourceTable::read);
        transaction.askNow();
        return locked;
    }

    /** Locks those of the rows that exist, in the same order as every other caller. */
    static List<ResourceRow> lockAll(Transaction transaction, Collection<String> keys) throws SQLException {
        Pending<List<ResourceRow>> locked = transaction.ask(LOCK_ALL, p -> p.texts("keys", keys), ResourceTable::read);
        transaction.askNow();
        return locked.get();
    }

    static Optional<ResourceRow> look(Transaction transaction, String key) throws SQLException {
        return transaction.first(LOOK, p -> p.text("key", key), ResourceTable::read);
    }

    /** Reads what others may have freed in the events after this one; leaves out rows that cannot be read. */
    static void askFreedByOthers(Transaction transaction, int origin, long after, int max, Consumer<ResourceRow> found)
            throws SQLException {
        transaction.ask(
                FREED_BY_OTHERS,
                p -> p.number("origin", origin).number("after", after).number("max", max),
                row -> {
                    try {
                        found.accept(read(row));
                        return true;
                    } catch (RuntimeException _) {
                        return false; // whoever needs it reads it by itself, and reports the error
                    }
                });
    }

    static List<ResourceRow> lookAll(Transaction transaction, Collection<String> keys) throws SQLException {
        return transaction.list(LOOK_ALL, p -> p.texts("keys", keys), ResourceTable::read);
    }

    /** False if the row already exists. */
    static boolean insert(Transaction transaction, ResourceRow row) throws SQLException {
        Optional<Long> seq = transaction.first(
                INSERT,
                p -> bind(
                        p.text("kind", row.resource.kind().toString())
                                .text("queue", row.queue)
                                .number("priority", row.priority)
                                .text("labels", json(row.labels))
                                .number("most_attempts", row.maxAttempts == null ? null : row.maxAttempts.longValue()),
                        row),
                inserted -> inserted.number("seq"));
        row.seq = seq.orElse(row.seq);
        return seq.isPresent();
    }

    /** Creates the row of a free-standing key; false if it already exists. */
    static boolean create(Transaction transaction, Resource resource) throws SQLException {
        ResourceRow row = ResourceRow.of(NewResource.of(resource));
        row.generation = floor(transaction);
        return insert(transaction, row);
    }

    /** Writes what claim-next chooses by; {@link #update} writes everything else. */
    static void sort(Transaction transaction, ResourceRow row) throws SQLException {
        transaction.change(
                SORT,
                p -> p.text("key", row.resource.toString())
                        .text("queue", row.queue)
                        .number("priority", row.priority)
                        .text("labels", json(row.labels)));
    }

    /** How many resources of a kind this holder holds. */
    static long heldCount(Transaction transaction, Kind kind, String holder) throws SQLException {
        return transaction
                .first(
                        HELD_COUNT,
                        p -> p.text("kind", kind.toString()).text("holder", holder),
                        row -> row.number("held"))
                .orElse(0L);
    }

    static void update(Transaction transaction, ResourceRow row) throws SQLException {
        transaction.change(UPDATE, p -> bind(p, row));
    }

    static void updateAll(Transaction transaction, Collection<ResourceRow> rows) throws SQLException {
        transaction.updateAll(UPDATE, rows, ResourceTable::bind);
    }

    /** The generation from which a new row of a free-standing key starts. */
    static long floor(Transaction transaction) throws SQLException {
        return transaction
                .first(FLOOR, _ -> {}, row -> row.number("generation"))
                .orElse(0L);
    }

    static List<ResourceRow> heldBy(Transaction transaction, String holder) throws SQLException {
        Pending<List<ResourceRow>> locked =
                transaction.ask(HELD_BY, p -> p.text("holder", holder), ResourceTable::read);
        transaction.askNow();
        return locked.get();
    }

    /** As {@link #heldBy}, without locking. */
    static List<ResourceRow> seenHeldBy(Transaction transaction, String holder) throws SQLException {
        return transaction.list(SEEN_HELD_BY, p -> p.text("holder", holder), ResourceTable::read);
    }

    static List<ResourceRow> expired(Transaction transaction, long now, int max) throws SQLException {
        return transaction.list(EXPIRED, p -> p.time("now", now).number("max", max), ResourceTable::read);
    }

    /** The keys of the same rows, not locked; works even if something else in a row is bad. */
    static List<String> expiredKeys(Transaction transaction, long now, int max) throws SQLException {
        return transaction.list(EXPIRED_KEYS, p -> p.time("now", now).number("max", max), row -> row.text("key"));
    }

    /** Empty if it has not expired, or somebody else has it locked. */
    static Optional<ResourceRow> expired(Transaction transaction, String key, long now) throws SQLException {
        return transaction.first(EXPIRED_ONE, p -> p.text("key", key).time("now", now), ResourceTable::read);
    }

    /** Keys of soft claims whose outer grant is over. */
    static List<String> orphanedSoft(Transaction transaction, int max) throws SQLException {
        return transaction.list(ORPHANED_SOFT, p -> p.number("max", max), row -> row.text("key"));
    }

    /** Moves resources that have come due into the ready index, and returns them. */
    static List<ResourceRow> makeDue(Transaction transaction, long now) throws SQLException {
        return transaction.list(MAKE_DUE, p -> p.time("now", now), ResourceTable::read);
    }

    static List<ResourceRow> makeDue(Transaction transaction, String key, long now) throws SQLException {
        return transaction.list(MAKE_ONE_DUE, p -> p.text("key", key).time("now", now), ResourceTable::read);
    }

    static List<String> dueKeys(Transaction transaction, long now) throws SQLException {
        return transaction.list(DUE_KEYS, p -> p.time("now", now), row -> row.text("key"));
    }

    static Optional<Long> nextDue(Transaction transaction) throws SQLException {
        return transaction
                .first(NEXT_DUE, _ -> {}, row -> Optional.ofNullable(row.timeOrNull("next")))
                .flatMap(next -> next);
    }

    /** Free-standing keys that nobody has held since that time, longest idle first. */
    static List<String> idle(Transaction transaction, long before, int max) throws SQLException {
        return transaction.list(IDLE, p -> p.time("before", before).number("max", max), row -> row.text("key"));
    }

    /** Locks those that are still idle and not locked by somebody else; returns their generations. */
    static Map<String, Long> lockIdle(Transaction transaction, Collection<String> keys, long before)
            throws SQLException {
        Map<String, Long> idle = new LinkedHashMap<>();
        transaction.list(
                LOCK_IDLE,
                p -> p.texts("keys", keys).time("before", before),
                row -> idle.put(row.text("key"), row.number("generation")));
        return idle;
    }

    static void deleteAll(Transaction transaction, Collection<String> keys) throws SQLException {
        transaction.change(DELETE, p -> p.texts("keys", keys));
    }

    static void raiseFloor(Transaction transaction, long generation) throws SQLException {
        transaction.change(RAISE_FLOOR, p -> p.number("generation", generation));
    }

    /** Records that the holders of these lose them, so that each of them is told. */
    static void displaceAll(Transaction transaction, Collection<ResourceRow> held, String reason, long at)
            throws SQLException {
        transaction.updateAll(
                DISPLACE,
                held,
                (p, row) -> p.text("holder", row.holder)
                        .text("resource", row.resource.toString())
                        .number("generation", row.effectiveGeneration())
                        .text("reason", reason)
                        .time("at", at));
    }

    static List<DisplacedClaim> displaced(Transaction transaction, String holder) throws SQLException {
        return transaction.list(
                DISPLACED,
                p -> p.text("holder", holder),
                row -> new DisplacedClaim(
                        Resource.parse(row.text("resource")), row.number("generation"), row.text("reason")));
    }

    static void markReported(Transaction transaction, String holder, DisplacedClaim displacement) throws SQLException {
        transaction.change(
                TOLD,
                p -> p.text("holder", holder)
                        .text("resource", displacement.resource().toString())
                        .number("generation", displacement.generation()));
    }

    static int forget(Transaction transaction, long before) throws SQLException {
        return transaction.update(FORGET, p -> p.time("before", before));
    }

    private static void bind(Parameters p, ResourceRow row) throws SQLException {
        p.text("key", row.resource.toString())
                .text("state", row.state.toString())
                .time("not_before", row.notBefore)
                .flag("kept", row.kept)
                .flag("barred", row.barred)
                .text("holder", row.holder)
                .number("generation", row.generation)
                .time("acquired_at", row.acquiredAt)
                .time("renewed_at", row.renewedAt)
                .time("expires_at", row.expiresAt)
                .number("lease", row.lease)
                .flag("confirmed", row.confirmed)
                .text("request_id", row.requestId)
                .text(
                        "outer_key",
                        row.under == null ? null : row.under.resource().toString())
                .number("outer_generation", row.under == null ? null : row.under.generation())
                .number("ended_generation", row.endedGeneration)
                .text("ended_by", row.endedBy)
                .text("ended_as", row.endedAs)
                .number("attempts", row.attempts)
                .time("ready_since", row.readySince)
                .text("note", row.note);
    }

    static ResourceRow read(Row row) throws SQLException {
        Long max = row.numberOrNull("most_attempts");
        ResourceRow read = new ResourceRow(
                Resource.parse(row.text("key")),
                row.text("queue"),
                (int) row.number("priority"),
                row.number("seq"),
                labels(row.text("labels")),
                max == null ? null : max.intValue());
        read.state = State.of(row.text("state"));
        read.notBefore = row.timeOrNull("not_before");
        read.kept = row.flag("kept");
        read.barred = row.flag("barred");
        read.holder = row.textOrNull("holder");
        read.generation = row.number("generation");
        read.acquiredAt = row.timeOrNull("acquired_at");
        read.renewedAt = row.timeOrNull("renewed_at");
        read.expiresAt = row.timeOrNull("expires_at");
        read.lease = row.numberOrNull("lease");
        read.confirmed = row.flag("confirmed");
        read.requestId = row.textOrNull("request_id");
        String outer = row.textOrNull("outer_key");
        read.under = outer == null ? null : new OuterClaim(Resource.parse(outer), row.number("outer_generation"));
        read.endedGeneration = row.numberOrNull("ended_generation");
        read.endedBy = row.textOrNull("ended_by");
        read.endedAs = row.textOrNull("ended_as");
        read.attempts = (int) Math.min(row.number("attempts"), Integer.MAX_VALUE);
        read.readySince = row.timeOrNull("ready_since");
        read.note = row.textOrNull("note");
        return read;
    }

    static Set<String> labels(String json) {
        return json.equals("[]") ? Set.of() : JSON.readValue(json, new TypeReference<Set<String>>() {});
    }

    static String json(Set<String> labels) {
        return labels.isEmpty() ? "[]" : JSON.writeValueAsString(new TreeSet<>(labels));
    }
}
