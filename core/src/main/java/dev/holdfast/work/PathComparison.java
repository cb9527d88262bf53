package dev.holdfast.work;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Holds the paths that somebody wants against those that others have. That is work that grows with what both have
 * written, and nobody else is to wait for it: it is done before the transaction. Under the lock only what has come
 * meanwhile is looked at, and if that is too much for there, everything is rolled back and compared again outside.
 */
final class PathComparison {
    /** How many characters may be held against each other under the lock: some milliseconds at the very worst. */
    private static final long MOST_UNDER_LOCK = 1_000_000;

    private static final int ROUNDS = 20;

    private final String holder;
    private final String queue;
    private final List<Glob> globs;
    private final boolean exclusive;
    private final long length;
    /** By the id of a reservation: whether it overlaps. What a reservation covers never changes. */
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

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

    /** More has come than can be compared under the lock: the transaction must not go on. */
    static final class OutrunException extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutrunException() {
            super("others reserved meanwhile", null, false, false);
        }
    }

    /** Makes a change, whose transaction asks {@link #inTheWay}, after everything there is has been compared. */
    <T> T then(Store store, Supplier<T> change) {
        for (int round = 0; round < ROUNDS; round++) {
            catchUp(store);
            try {
                return change.get();
            } catch (OutrunException _) {
                // once more, with what has come
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
     * Those of all these that overlap, whether they have run out or not. Call it under the lock of the queue.
     *
     * @throws OutrunException when too many of them have not been compared yet
     */
    List<ReservationTable.Held> inTheWay(Transaction transaction, List<ReservationTable.Outline> all)
            throws SQLException {
        List<ReservationTable.Held> inTheWay = new ArrayList<>();
        long room = MOST_UNDER_LOCK;
        for (ReservationTable.Outline outline : all) {
            if (!concerns(outline.holder(), outline.exclusive())) {
                continue;
            }
            Boolean overlaps = known.get(outline.id());
            if (overlaps == null) {
                room -= outline.length() * length;
                if (room < 0) {
                    throw new OutrunException();
                }
            }
            if (overlaps == null || overlaps) {
                ReservationTable.Held held =
                        ReservationTable.held(transaction, queue, outline.id()).orElseThrow();
                if (compare(held)) {
                    inTheWay.add(held);
                }
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

    private boolean compare(ReservationTable.Held held) {
        return known.computeIfAbsent(held.id(), _ -> held.overlaps(globs));
    }
}
