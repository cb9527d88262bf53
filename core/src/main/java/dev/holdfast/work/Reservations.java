package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reservations of paths that somebody is about to change, so that others leave them alone. A queue is a repository: all
 * its working trees share its reservations.
 *
 * <p>A reservation is a claim on {@code reservation:<id>}. One that was made when claiming an item is a soft claim
 * under that claim, and ends with it. One whose lease has expired is reclaimed by whoever wants the same paths.
 */
public final class Reservations {
    /** Every request for a path is compared with all of them. */
    static final int MAX_IN_A_QUEUE = 1_000;

    static final long LONGEST_IN_A_QUEUE = 200_000;

    private final Store store;
    private final TransactionalClaims transactional;
    private final Supplier<String> ids;

    Reservations(Store store, TransactionalClaims transactional, Supplier<String> ids) {
        this.store = store;
        this.transactional = transactional;
        this.ids = ids;
    }

    /**
     * Reserves all these paths or none.
     *
     * @param exclusive nobody else may reserve them; otherwise others may share them, but not reserve them exclusively
     * @param under the caller's claim that it ends with; null: it has its own lease
     * @throws RefusedException naming the reservations that conflict, and their holders
     */
    public Claim reserve(
            String holder,
            String queue,
            List<String> paths,
            boolean exclusive,
            @Nullable Duration ttl,
            @Nullable OuterClaim under) {
        Text.holder(holder);
        PathComparison wanted = new PathComparison(holder, WorkLimits.queue(queue), Glob.all(paths), exclusive);
        String id = ids.get();
        return wanted.then(store, () -> store.write(transaction -> reserve(transaction, id, wanted, ttl, under)));
    }

    /** Runs in a transaction that {@link PathComparison#then} makes. */
    Claim reserve(
            Transaction transaction,
            String id,
            PathComparison wanted,
            @Nullable Duration ttl,
            @Nullable OuterClaim under)
            throws SQLException {
        String queue = wanted.queue();
        ReservationTable.lock(transaction, queue);
        List<ReservationTable.Outline> all = ReservationTable.outlines(transaction, queue);
        refuseOverlaps(transaction, wanted, all);
        refuseTooMany(queue, all, transaction.now());
        ReservationTable.forget(transaction, queue);
        ReservationTable.insert(transaction, id, queue, wanted.exclusive(), wanted.globs());
        ClaimRequest asked = new ClaimRequest(resource(id), wanted.holder(), ttl, id, null, Duration.ZERO, under);
        return switch (transactional.claim(transaction, asked)) {
            case ClaimOutcome.Granted granted -> granted.claim();
            case ClaimOutcome.AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> throw new IllegalStateException("a named claim found nothing");
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    /** The queue and paths of a reservation. */
    public record Reserved(String id, String queue, List<String> paths) {}

    /** These reservations; unknown ids are left out. */
    public List<Reserved> of(Collection<String> ids) {
        return ids.isEmpty() ? List.of() : store.read(transaction -> ReservationTable.of(transaction, ids));
    }

    /**
     * The reservation of somebody else that this path is in, if any: an exclusive one first, otherwise a shared one.
     */
    public Optional<Overlap> check(String holder, String queue, String path) {
        List<Glob> wanted = List.of(Glob.literal(path));
        record Seen(List<ReservationTable.Held> held, long now) {}
        String key = WorkLimits.queue(queue);
        Seen seen = store.read(transaction -> new Seen(ReservationTable.held(transaction, key), transaction.now()));
        return seen.held.stream()
                .filter(held -> held.expiresAt() > seen.now && !held.holder().equals(holder) && held.overlaps(wanted))
                .map(ReservationTable.Held::overlap)
                .sorted(Comparator.comparing(overlap -> !overlap.exclusive()))
                .findFirst();
    }

    private void refuseOverlaps(Transaction transaction, PathComparison wanted, List<ReservationTable.Outline> all)
            throws SQLException {
        List<PathComparison.InTheWay> inTheWay = new ArrayList<>();
        for (PathComparison.InTheWay each : wanted.inTheWay(transaction, all)) {
            if (!transactional.reclaimExpired(transaction, resource(each.held().id()), "expired")) {
                inTheWay.add(each);
            }
        }
        if (!inTheWay.isEmpty()) {
            ReservationTable.Collision collision = inTheWay.getFirst().collision();
            List<Overlap> overlaps =
                    inTheWay.stream().map(each -> each.held().overlap()).toList();
            Overlap first = overlaps.getFirst();
            throw new RefusedException(
                    RefusalCode.HELD,
                    collision.wanted() + " overlaps " + collision.reserved() + ", which " + first.holder()
                            + " has reserved with everything below until "
                            + first.expiresAt().truncatedTo(ChronoUnit.MILLIS)
                            + "; take other paths, or wait for it",
                    Map.of("holder", first.holder(), "overlaps", overlaps));
        }
    }

    private static void refuseTooMany(String queue, List<ReservationTable.Outline> all, long now) {
        List<ReservationTable.Outline> alive =
                all.stream().filter(one -> one.expiresAt() > now).toList();
        long length = alive.stream().mapToLong(ReservationTable.Outline::length).sum();
        if (alive.size() >= MAX_IN_A_QUEUE || length >= LONGEST_IN_A_QUEUE) {
            throw new RefusedException(
                    RefusalCode.NOT_CLAIMABLE,
                    queue + " has " + alive.size() + " reservations with " + length
                            + " characters of paths, which is the limit (" + MAX_IN_A_QUEUE + ", or "
                            + LONGEST_IN_A_QUEUE
                            + " characters); release some, or wait until some expire");
        }
    }

    private static Resource resource(String id) {
        return new Resource(Kind.RESERVATION, id);
    }
}
