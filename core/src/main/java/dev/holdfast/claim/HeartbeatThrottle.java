package dev.holdfast.claim;

import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Heartbeats for a holder that is heard from all the time. Writes each claim at most once per minute, or per third of
 * its lease if that is shorter; the beats in between only read.
 */
final class HeartbeatThrottle {
    private static final long WRITE_INTERVAL = Duration.ofMinutes(1).toNanos() / 1_000;

    private final Store store;

    HeartbeatThrottle(Store store) {
        this.store = store;
    }

    private record Look(boolean due, List<DisplacedClaim> lost) {}

    /** Also renews grants that the holder has not named yet: the caller vouches that the holder is alive. */
    HolderHeartbeat beat(String holder) {
        Look look = store.read(transaction -> look(transaction, holder));
        return look.due
                ? store.write(transaction -> renew(transaction, holder))
                : new HolderHeartbeat(List.of(), List.of(), look.lost);
    }

    private static Look look(Transaction transaction, String holder) throws SQLException {
        long now = transaction.now();
        boolean due = false;
        for (ResourceRow row : ResourceTable.seenHeldBy(transaction, holder)) {
            due |= isDue(row, now);
        }
        return new Look(due, ResourceTable.displaced(transaction, holder));
    }

    private static HolderHeartbeat renew(Transaction transaction, String holder) throws SQLException {
        List<ResourceRow> rows = ResourceTable.heldBy(transaction, holder);
        long now = transaction.now();
        List<Claim> extended = new ArrayList<>();
        for (ResourceRow row : rows) {
            if (isDue(row, now)) {
                Rules.renew(row, null, false, now);
                ResourceTable.update(transaction, row);
                extended.add(row.claim());
            }
        }
        return new HolderHeartbeat(extended, List.of(), ResourceTable.displaced(transaction, holder));
    }

    /** A soft claim has no lease of its own; its outer claim is renewed. */
    private static boolean isDue(ResourceRow row, long now) {
        if (row.under != null || row.renewedAt == null || row.lease == null) {
            return false;
        }
        return now - row.renewedAt >= Math.min(WRITE_INTERVAL, row.lease / 3);
    }
}
