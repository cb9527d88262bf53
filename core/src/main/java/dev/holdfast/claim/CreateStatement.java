package dev.holdfast.claim;

import dev.holdfast.event.Events;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates a resource on PostgreSQL, with its events, in one statement that reads the clock itself, so that it takes one
 * round trip. Nothing is written if the resource exists.
 */
final class CreateStatement {
    private static final Sql CREATE = Sql.of("""
            WITH clock AS MATERIALIZED (SELECT lease_clock() AS now),
            made AS (
                INSERT INTO resources (key, kind, queue, priority, labels, most_attempts, state, kept, holder, generation,
                    acquired_at, renewed_at, expires_at, lease, request_id, ready_since)
                SELECT :key, :kind, :queue, :priority, :labels, :most_attempts, :state, :kept, :holder, :generation,
                    CASE WHEN :state = 'held' THEN c.now END, CASE WHEN :state = 'held' THEN c.now END,
                    c.now + :lease * interval '1 microsecond', :lease, :request_id,
                    CASE WHEN :state = 'ready' THEN c.now END
                FROM clock c
                ON CONFLICT (key) DO NOTHING RETURNING key, seq),
            appended AS (
                INSERT INTO events (at, type, resource, actor, generation, detail, origin)
                SELECT c.now, e.type, m.key, e.actor, e.generation, e.detail, :origin
                FROM made m, clock c, (VALUES (1, :type, :actor, NULL, :detail), (2, :granted, :holder, :generation, NULL))
                    AS e (position, type, actor, generation, detail)
                WHERE e.type IS NOT NULL ORDER BY e.position)
            SELECT m.seq, c.now FROM made m, clock c
            """);

    private record Made(long seq, long now) {}

    private CreateStatement() {}

    /** Whether it can create this: nothing else has to be known first. */
    static boolean fits(NewResource made) {
        return made.notBefore() == null && !made.resource().kind().freeStanding();
    }

    /**
     * Asks for it; the answer is false if it already exists. If the transaction ends with this, it takes no round trip
     * of its own to commit.
     *
     * @param row with its times counted from now; they are right once the answer is there
     * @param then called with the answer as soon as it is there
     */
    static Pending<Boolean> ask(
            Transaction transaction, ResourceRow row, DomainEvent event, Events events, Consumer<Boolean> then)
            throws SQLException {
        return transaction.askLast(
                CREATE,
                p -> bind(p, row, event).number("origin", events.origin()),
                result -> new Made(result.number("seq"), result.time("now")),
                made -> {
                    made.ifPresent(one -> settle(transaction, row, one, events));
                    then.accept(made.isPresent());
                    return made.isPresent();
                });
    }

    private static void settle(Transaction transaction, ResourceRow row, Made made, Events events) {
        transaction.clockWasRead(made.now());
        row.seq = made.seq();
        row.acquiredAt = later(row.acquiredAt, made.now());
        row.renewedAt = later(row.renewedAt, made.now());
        row.expiresAt = later(row.expiresAt, made.now());
        row.readySince = later(row.readySince, made.now());
        events.appended(transaction);
    }

    private static @Nullable Long later(@Nullable Long micros, long by) {
        return micros == null ? null : Long.valueOf(micros + by);
    }

    private static Parameters bind(Parameters p, ResourceRow row, DomainEvent event) {
        return p.text("key", row.resource.toString())
                .text("kind", row.resource.kind().toString())
                .text("queue", row.queue)
                .number("priority", row.priority)
                .text("labels", ResourceTable.json(row.labels))
                .number("most_attempts", row.maxAttempts == null ? null : row.maxAttempts.longValue())
                .text("state", row.state.toString())
                .flag("kept", row.kept)
                .text("holder", row.holder)
                .number("generation", row.generation)
                .number("lease", row.lease)
                .text("request_id", row.requestId)
                .text("type", event.type())
                .text("actor", event.actor())
                .text("detail", ClaimEvents.json(event.detail()))
                .text("granted", row.held() ? ClaimEvents.GRANTED : null);
    }
}
