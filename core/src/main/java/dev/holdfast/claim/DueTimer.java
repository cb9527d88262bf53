package dev.holdfast.claim;

import dev.holdfast.event.PeriodicTask;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes up when the next postponed resource comes due, and makes it ready. */
final class DueTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DueTimer.class);
    /** Another broker may postpone something without telling this one. */
    private static final Duration LOOK_AT_LEAST_EVERY = Duration.ofSeconds(5);

    private final Store store;
    private final Availability availability;
    private final BadRows bad = new BadRows(LOG, "make due");
    private final PeriodicTask routine = new PeriodicTask("holdfast-due", this::makeDue);

    DueTimer(Store store, Availability availability) {
        this.store = store;
        this.availability = availability;
        routine.start();
    }

    /** Something was postponed; it may be the next to come due. */
    void look() {
        routine.nudge();
    }

    private long makeDue() {
        try {
            return BadRows.either(() -> store.write(this::makeAllDue), this::oneByOne);
        } catch (StoreException e) {
            LOG.warn("cannot check for resources that come due: {}", e.getMessage());
            return LOOK_AT_LEAST_EVERY.toNanos();
        }
    }

    private long makeAllDue(Transaction transaction) throws SQLException {
        long now = transaction.now();
        availability.makeDue(transaction, now);
        Optional<Long> next = ResourceTable.nextDue(transaction);
        long max = LOOK_AT_LEAST_EVERY.toNanos();
        return next.isEmpty() ? max : Math.min(max, Math.max(1, next.get() - now) * 1_000);
    }

    private long oneByOne() {
        for (String key : store.read(transaction -> ResourceTable.dueKeys(transaction, transaction.now()))) {
            bad.attempt(
                    key, () -> store.write(transaction -> availability.makeDue(transaction, key, transaction.now())));
        }
        return LOOK_AT_LEAST_EVERY.toNanos();
    }

    @Override
    public void close() {
        routine.close();
    }
}
