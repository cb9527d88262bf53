package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Gate;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.Under;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Paths that somebody is about to change, so that others leave them alone. A queue is a repository: its working trees,
 * however many, share its reservations.
 *
 * <p>A reservation is a claim on {@code reservation:<id>}. One that was made with the claim of an item lives under that
 * claim and is over when that is. One whose lease has run out is taken back by whoever wants the same paths.
 */
public final class Reservations {
    private static final int MOST_PATHS = 50;

    private static final Sql MAKE_QUEUE =
            Sql.of("INSERT INTO reservation_queues (queue) VALUES (:queue) ON CONFLICT DO NOTHING");

    private static final Sql LOCK_QUEUE =
            Sql.of("SELECT queue FROM reservation_queues WHERE queue = :queue FOR UPDATE");

    private static final Sql INSERT = Sql.of("""
            INSERT INTO reservations (id, queue, exclusive, paths, created_at)
            VALUES (:id, :queue, :exclusive, :paths, :now) ON CONFLICT DO NOTHING
            """);

    private static final Sql FORGET = Sql.of("""
            DELETE FROM reservations WHERE queue = :queue AND NOT EXISTS (
                SELECT 1 FROM resources r WHERE r.key = 'reservation:' || reservations.id AND r.state = 'held')
            """);

    /** What is held, with the expiry of the claim that it lives by. */
    private static final Sql HELD = Sql.of("""
            SELECT v.id, v.exclusive, v.paths, r.holder, coalesce(o.expires_at, r.expires_at) AS expires_at
            FROM reservations v JOIN resources r ON r.key = 'reservation:' || v.id
            LEFT JOIN resources o ON o.key = r.outer_key AND o.state = 'held' AND o.generation = r.outer_generation
                AND o.holder = r.holder AND o.outer_key IS NULL
            WHERE v.queue = :queue AND r.state = 'held' AND (r.outer_key IS NULL OR o.key IS NOT NULL)
            ORDER BY v.created_at, v.id
            """);

    private final Store store;
    private final Gate gate;
    private final Supplier<String> ids;

    Reservations(Store store, Gate gate, Supplier<String> ids) {
        this.store = store;
        this.gate = gate;
        this.ids = ids;
    }

    /**
     * Reserves all these paths or none.
     *
     * @param exclusive nobody else may reserve them; otherwise only those who want them for themselves may not
     * @param under the caller's claim that it is to live and die with; null: it has a lease of its own
     * @throws RefusedException naming whose reservations are in the way
     */
    public Claim reserve(
            String holder,
            String queue,
            List<String> paths,
            boolean exclusive,
            @Nullable Duration ttl,
            @Nullable Under under) {
        if (paths.isEmpty() || paths.size() > MOST_PATHS) {
            throw new InvalidException("paths must be 1 to " + MOST_PATHS + " globs, not " + paths.size());
        }
        List<Glob> globs = paths.stream().map(Glob::of).toList();
        Text.holder(holder);
        Limits.queue(queue);
        String id = ids.get();
        return store.write(transaction -> reserve(transaction, id, holder, queue, globs, exclusive, ttl, under));
    }

    Claim reserve(
            Transaction transaction,
            String holder,
            String queue,
            List<Glob> globs,
            boolean exclusive,
            @Nullable Duration ttl,
            @Nullable Under under)
            throws SQLException {
        return reserve(transaction, ids.get(), holder, queue, globs, exclusive, ttl, under);
    }

    private Claim reserve(
            Transaction transaction,
            String id,
            String holder,
            String queue,
            List<Glob> globs,
            boolean exclusive,
            @Nullable Duration ttl,
            @Nullable Under under)
            throws SQLException {
        transaction.update(MAKE_QUEUE, p -> p.text("queue", queue));
        transaction.first(LOCK_QUEUE, p -> p.text("queue", queue), row -> row.text("queue"));
        refuseOverlaps(transaction, holder, queue, globs, exclusive);
        transaction.update(FORGET, p -> p.text("queue", queue));
        long now = transaction.now();
        transaction.update(
                INSERT,
                p -> p.text("id", id)
                        .text("queue", queue)
                        .flag("exclusive", exclusive)
                        .text(
                                "paths",
                                JsonMapper.shared()
                                        .writeValueAsString(
                                                globs.stream().map(Glob::text).toList()))
                        .time("now", now));
        ClaimRequest asked = new ClaimRequest(resource(id), holder, ttl, id, null, Duration.ZERO, under);
        return switch (gate.claim(transaction, asked)) {
            case ClaimOutcome.Granted granted -> granted.claim();
            case ClaimOutcome.AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> throw new IllegalStateException("a named claim found nothing");
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    /** Whose reservation this path is in, if anybody else's. */
    public Optional<Overlap> check(String holder, String queue, String path) {
        Glob glob = Glob.literal(path);
        return store.read(transaction -> {
            long now = transaction.now();
            return held(transaction, queue).stream()
                    .filter(held -> held.expiresAt > now
                            && held.overlap().exclusive()
                            && held.isInTheWay(holder, List.of(glob), true))
                    .map(Held::overlap)
                    .findFirst();
        });
    }

    private void refuseOverlaps(
            Transaction transaction, String holder, String queue, List<Glob> globs, boolean exclusive)
            throws SQLException {
        List<Overlap> overlaps = new ArrayList<>();
        for (Held held : held(transaction, queue)) {
            if (held.isInTheWay(holder, globs, exclusive)
                    && !gate.reclaimExpired(transaction, resource(held.overlap.reservation()), "expired")) {
                overlaps.add(held.overlap);
            }
        }
        if (!overlaps.isEmpty()) {
            Overlap first = overlaps.getFirst();
            throw new RefusedException(
                    "held",
                    "these paths overlap " + String.join(", ", first.paths()) + ", which " + first.holder()
                            + " has reserved; take other paths, or wait for it",
                    Map.of("holder", first.holder(), "overlaps", overlaps));
        }
    }

    private record Held(Overlap overlap, List<Glob> globs, long expiresAt) {
        boolean isInTheWay(String holder, List<Glob> wanted, boolean exclusive) {
            return !overlap.holder().equals(holder)
                    && (overlap.exclusive() || exclusive)
                    && wanted.stream().anyMatch(one -> globs.stream().anyMatch(one::overlaps));
        }
    }

    private static List<Held> held(Transaction transaction, String queue) throws SQLException {
        return transaction.list(HELD, p -> p.text("queue", queue), Reservations::read);
    }

    private static Held read(Row row) throws SQLException {
        List<String> paths = JsonMapper.shared().readValue(row.text("paths"), new TypeReference<List<String>>() {});
        long expires = row.time("expires_at");
        Overlap overlap = new Overlap(
                row.text("id"),
                Objects.requireNonNull(row.textOrNull("holder")),
                paths,
                row.flag("exclusive"),
                LeaseClock.instant(expires));
        return new Held(overlap, paths.stream().map(Glob::of).toList(), expires);
    }

    private static Resource resource(String id) {
        return new Resource(Kind.RESERVATION, id);
    }
}
