package dev.holdfast.work;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Compares the paths that somebody wants with those that others have reserved. The cost grows with both, and nobody
 * else should wait for it, so it runs before the transaction. Under the lock, only reservations made meanwhile are
 * compared; if those are too many, everything is rolled back and compared again outside.
 */
final class PathComparison {
    /** How many characters may be compared under the lock: a few milliseconds in the worst case. */
    private static final long MAX_UNDER_LOCK = 1_000_000;

    private static final int ROUNDS = 20;

    private final String holder;
    private final String queue;
    private final List<Glob> globs;
    private final boolean exclusive;
    private final long length;
    /** By reservation id: where it overlaps, if it does. The paths of a reservation never change. */
    private final Map<String, Optional<ReservationTable.Collision>> known = new ConcurrentHashMap<>();

    PathComparison(String holder, String queue, List<Glob> globs, boolean exclusive) {
        this.holder = holder;
        this.queue = queue;
        this.globs = globs;
        this.exclusive = exclusive;
        length = globs.stream().mapToInt(glob -> glob.text().length()).sum();
    }

    String holder() {
        return holder;
    }

    String queue() {
        return queue;
    }

    List<Glob> globs() {
        return globs;
    }

    boolean exclusive() {
        return exclusive;
    }

    /** A reservation that overlaps, and where. */
    record InTheWay(ReservationTable.Held held, ReservationTable.Collision collision) {}

    /** Too much was added to be compared under the lock; the transaction must not continue. */
    static final class OutrunException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutrunException() {
            super("others reserved meanwhile", null, false, false);
        }
    }

    /** Compares everything there is, then makes a change whose transaction calls {@link #inTheWay}. */
    <T> T then(Store store, Supplier<T> change) {
        for (int round = 0; round < ROUNDS; round++) {
            catchUp(store);
            try {
                return change.get();
            } catch (OutrunException _) {
                // try again, including the new reservations
            }
        }
        throw new RefusedException(
                RefusalCode.BUSY, "others reserve paths in " + queue + " faster than they can be compared; try again");
    }

    private void catchUp(Store store) {
        List<ReservationTable.Held> unknown =
                store.read(transaction -> ReservationTable.held(transaction, queue)).stream()
                        .filter(this::matters)
                        .toList();
        unknown.forEach(this::compare);
    }

    /**
     * Those of these reservations that overlap, expired or not. Call it under the queue's lock.
     *
     * @throws OutrunException if too many of them have not been compared yet
     */
    List<InTheWay> inTheWay(Transaction transaction, List<ReservationTable.Outline> all) throws SQLException {
        List<InTheWay> inTheWay = new ArrayList<>();
        long room = MAX_UNDER_LOCK;
        for (ReservationTable.Outline outline : all) {
            if (!concerns(outline.holder(), outline.exclusive())) {
                continue;
            }
            Optional<ReservationTable.Collision> collision = known.get(outline.id());
            if (collision == null) {
                room -= outline.length() * length;
                if (room < 0) {
                    throw new OutrunException();
                }
            }
            if (collision == null || collision.isPresent()) {
                ReservationTable.Held held =
                        ReservationTable.held(transaction, queue, outline.id()).orElseThrow();
                compare(held).ifPresent(found -> inTheWay.add(new InTheWay(held, found)));
            }
        }
        return inTheWay;
    }

    private boolean matters(ReservationTable.Held held) {
        return concerns(held.holder(), held.exclusive()) && !known.containsKey(held.id());
    }

    private boolean concerns(String itsHolder, boolean itsExclusive) {
        return !itsHolder.equals(holder) && (itsExclusive || exclusive);
    }

    private Optional<ReservationTable.Collision> compare(ReservationTable.Held held) {
        return known.computeIfAbsent(held.id(), _ -> held.collision(globs));
    }
}
