package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.event.Events;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * What SQLite runs for all concurrent callers, as one job of its writer: one statement each for all endings, all claims
 * and all renewals, then a read of the rows that were not changed, then the first claims of new keys, then all events.
 * The requests are passed as JSON.
 * Results are matched by key, because RETURNING gives nothing else of the request, and a batch contains each key only
 * once.
 *
 * <p>"+r.state" keeps the planner from using a state's partial index instead of the key.
 */
final class SqliteBatches {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteBatches.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String BY_THE_FENCE =
            "r.key = a.key AND +r.state = 'held' AND r.generation = a.generation AND r.holder = a.holder"
                    + " AND r.outer_key IS NULL";

    private static final Sql END = Sql.of("""
            UPDATE resources AS r SET
                state = CASE WHEN r.barred AND a.next_state = 'ready' THEN 'blocked' ELSE a.next_state END,
                holder = NULL, acquired_at = NULL, renewed_at = NULL, expires_at = NULL, lease = NULL,
                confirmed = 0, request_id = NULL, barred = 0, kept = r.kept OR a.keep,
                ended_generation = r.generation, ended_by = r.holder, ended_as = a.ending,
                ready_since = CASE WHEN a.next_state = 'ready' AND NOT r.barred THEN :now END,
                note = CASE a.next_state WHEN 'done' THEN NULL ELSE coalesce(a.remark, r.note) END
            FROM (SELECT value ->> 0 AS key, value ->> 1 AS holder, value ->> 2 AS generation, value ->> 3 AS ending,
                    value ->> 4 AS next_state, value ->> 5 AS remark, value ->> 6 AS keep
                FROM json_each(:asked)) AS a
            WHERE\s""" + BY_THE_FENCE + """

            RETURNING key, CASE WHEN state = 'ready' AND NOT kept THEN queue END AS queue, priority, seq, labels
            """);

    private static final Sql TAKE = Sql.of("""
            UPDATE resources AS r SET
                state = 'held', holder = a.holder, generation = r.generation + 1, acquired_at = :now, renewed_at = :now,
                expires_at = :now + a.lease, lease = a.lease, confirmed = 0, request_id = a.request, not_before = NULL,
                kept = 0, ready_since = NULL
            FROM (SELECT value ->> 0 AS key, value ->> 1 AS holder, value ->> 2 AS lease, value ->> 3 AS request,
                    value ->> 4 AS given, value ->> 5 AS kind, value ->> 6 AS queue
                FROM json_each(:asked)) AS a
            WHERE r.key = a.key AND +r.state = 'ready' AND (r.not_before IS NULL OR r.not_before <= :now)
                AND (a.kind IS NULL OR NOT r.kept AND NOT EXISTS (
                    SELECT 1 FROM resources o
                    WHERE o.holder = a.holder AND o.state = 'held' AND o.kind = a.kind
                        AND (a.queue IS NULL OR o.queue = a.queue) AND o.outer_key IS NULL
                        AND CASE WHEN a.given THEN o.request_id = a.request ELSE NOT o.confirmed END))
            RETURNING key, generation, attempts, note
            """);

    private static final Sql RENEW = Sql.of("""
            UPDATE resources AS r SET
                renewed_at = :now, confirmed = 1, expires_at = max(r.expires_at, :now + r.lease)
            FROM (SELECT value ->> 0 AS key, value ->> 1 AS holder, value ->> 2 AS generation
                FROM json_each(:asked)) AS a
            WHERE\s""" + BY_THE_FENCE + """

            RETURNING key, acquired_at, expires_at, attempts
            """);

    private static final Sql MISSED = Sql.of("SELECT * FROM resources WHERE key = ANY (:keys)");

    private final SqliteStore store;
    private final Events events;

    SqliteBatches(SqliteStore store, Events events) {
        this.store = store;
        this.events = events;
    }

    void write(List<CombinedUnit> units) {
        boolean interrupted = Thread.interrupted(); // one caller's interrupt, on the thread that writes for all
        try {
            List<CombinedRequest> requests = CombinedUnit.requests(units);
            CombinedUnit.answer(units, store.write(units.size(), transaction -> run(transaction, requests)));
        } catch (BusyException | Error e) { // the writer must go on for the others
            CombinedUnit.fail(units, e);
        } catch (RuntimeException e) {
            if (units.size() > 1) {
                LOG.warn("SQLite refused a batch of {} calls; retrying each on its own", units.size(), e);
                units.forEach(unit -> write(List.of(unit)));
            } else {
                CombinedUnit.fail(units, e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private CombinedResult[] run(Transaction transaction, List<CombinedRequest> requests) throws SQLException {
        long now = transaction.now();
        Map<String, CombinedResult> written = new HashMap<>();
        List<Events.New> newEvents = new ArrayList<>();
        end(transaction, only(requests, End.class), now, written, newEvents);
        List<Take> accepted = only(requests, Take.class).stream()
                .filter(take ->
                        take.after() == null || written.containsKey(take.after().key()))
                .toList();
        take(transaction, accepted, now, written, newEvents);
        renew(transaction, only(requests, Renew.class), now, written);
        List<String> missed = requests.stream()
                .map(CombinedRequest::key)
                .filter(key -> !written.containsKey(key))
                .toList();
        if (!missed.isEmpty()) {
            lookAtMissed(transaction, missed, now, written);
            take(transaction, created(transaction, accepted, written), now, written, newEvents);
        }
        if (!newEvents.isEmpty()) {
            events.appendAll(transaction, newEvents);
        }
        return requests.stream()
                .map(request -> Objects.requireNonNull(written.get(request.key())))
                .toArray(CombinedResult[]::new);
    }

    private static <T extends CombinedRequest> List<T> only(List<CombinedRequest> requests, Class<T> part) {
        return requests.stream().filter(part::isInstance).map(part::cast).toList();
    }

    private static void end(
            Transaction transaction,
            List<End> ends,
            long now,
            Map<String, CombinedResult> written,
            List<Events.New> newEvents)
            throws SQLException {
        if (ends.isEmpty()) {
            return;
        }
        change(transaction, END, now, ends.stream().map(SqliteBatches::asked).toList(), row -> {
            String key = row.text("key");
            String queue = row.textOrNull("queue");
            written.put(
                    key,
                    new CombinedResult.Ended(
                            queue == null
                                    ? null
                                    : new Item(
                                            key,
                                            Resource.parse(key).kind(),
                                            queue,
                                            (int) row.number("priority"),
                                            row.number("seq"),
                                            ResourceTable.labels(row.text("labels")))));
        });
        for (End end : ends) {
            if (written.containsKey(end.key())) {
                String detail = ClaimEvents.json(end.ending().eventDetail(0));
                newEvents.add(new Events.New(
                        now, end.ending().how().toString(), end.key(), end.holder(), end.generation(), detail));
            }
        }
    }

    private static void take(
            Transaction transaction,
            List<Take> takes,
            long now,
            Map<String, CombinedResult> written,
            List<Events.New> newEvents)
            throws SQLException {
        if (takes.isEmpty()) {
            return;
        }
        change(transaction, TAKE, now, takes.stream().map(SqliteBatches::asked).toList(), row -> {
            int attempts = (int) Math.min(row.number("attempts"), Integer.MAX_VALUE);
            written.put(
                    row.text("key"),
                    new CombinedResult.Taken(now, row.number("generation"), attempts, row.textOrNull("note")));
        });
        for (Take take : takes) {
            if (written.get(take.key()) instanceof CombinedResult.Taken taken) {
                newEvents.add(new Events.New(now, "claimed", take.key(), take.holder(), taken.generation(), null));
            }
        }
    }

    /** Creates the free-standing keys that are claimed for the first time; returns the claims on them. */
    private static List<Take> created(Transaction transaction, List<Take> takes, Map<String, CombinedResult> written)
            throws SQLException {
        List<Take> first = new ArrayList<>();
        for (Take take : takes) {
            if (take.mayCreate()
                    && written.get(take.key()) instanceof CombinedResult.Missed missed
                    && missed.row() == null
                    && ResourceTable.create(transaction, Resource.parse(take.key()))) {
                first.add(take);
            }
        }
        return first;
    }

    private static void renew(
            Transaction transaction, List<Renew> renewals, long now, Map<String, CombinedResult> written)
            throws SQLException {
        if (renewals.isEmpty()) {
            return;
        }
        change(
                transaction,
                RENEW,
                now,
                renewals.stream().map(SqliteBatches::asked).toList(),
                row -> {
                    int attempts = (int) Math.min(row.number("attempts"), Integer.MAX_VALUE);
                    written.put(
                            row.text("key"),
                            new CombinedResult.Renewed(now, row.time("acquired_at"), row.time("expires_at"), attempts));
                });
    }

    private static List<@Nullable Object> asked(End end) {
        Ending ending = end.ending();
        State next = ending.how() == Ending.How.COMPLETED ? State.DONE : State.READY;
        return Arrays.asList(
                end.key(),
                end.holder(),
                end.generation(),
                ending.signature(),
                next.toString(),
                ending.note(),
                ending.keepStatus());
    }

    private static List<@Nullable Object> asked(Take take) {
        return Arrays.asList(
                take.key(),
                take.holder(),
                take.lease(),
                take.requestId(),
                take.given(),
                take.nextKind() == null ? null : take.nextKind().toString(),
                take.nextQueue());
    }

    private static List<@Nullable Object> asked(Renew renew) {
        return Arrays.asList(renew.key(), renew.holder(), renew.generation());
    }

    /** Reads one changed row. */
    @FunctionalInterface
    private interface Changed {
        void read(Row row) throws SQLException;
    }

    private static void change(Transaction transaction, Sql sql, long now, List<?> asked, Changed changed)
            throws SQLException {
        transaction.list(sql, p -> p.time("now", now).text("asked", JSON.writeValueAsString(asked)), row -> {
            changed.read(row);
            return true;
        });
    }

    private static void lookAtMissed(
            Transaction transaction, List<String> keys, long now, Map<String, CombinedResult> written)
            throws SQLException {
        for (ResourceRow row : transaction.list(MISSED, p -> p.texts("keys", keys), ResourceTable::read)) {
            written.put(row.resource.toString(), new CombinedResult.Missed(now, row));
        }
        keys.forEach(key -> written.putIfAbsent(key, new CombinedResult.Missed(now, null)));
    }
}
