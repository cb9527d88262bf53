package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker's own claim on its identity, and the sweeps that depend on it.
 *
 * <p>Nobody sweeps before it has renewed its identity without a gap for half its lease: after a pause or an outage of
 * the database everybody's heartbeats are late, and taking back everything at once would be wrong. A broker that finds
 * its identity lost goes on as a new incarnation.
 */
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final int AT_ONCE = 500;

    private final Claims claims;
    private final String name;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Runnable onLost;
    private @Nullable Claim identity;
    private long incarnation;
    private long renewedSince;
    private long lastRenewal;

    /**
     * @param name this process's own name, new at every start
     * @param onLost told when the identity was found lost
     */
    public Sweeper(Claims claims, String name, LongSupplier nanoTime, Runnable onLost) {
        this.claims = claims;
        this.name = name;
        this.nanoTime = nanoTime;
        this.onLost = onLost;
        lease = claims.leases().byKind().getOrDefault(Kind.BROKER, Kind.BROKER.lease());
    }

    /** The holder under which this broker is known now. */
    public synchronized @Nullable String identity() {
        return identity == null ? null : identity.holder();
    }

    /** Renews, and sweeps if that is safe; returns what was taken back. To be called every few seconds. */
    public synchronized List<Resource> turn() {
        try {
            if (!renew() || !steadyForHalfItsLease()) {
                return List.of();
            }
            List<Resource> swept = new ArrayList<>();
            int some;
            do {
                List<Resource> more = claims.sweep(AT_ONCE);
                swept.addAll(more);
                some = more.size();
            } while (some >= AT_ONCE);
            if (!swept.isEmpty()) {
                LOG.info("took back {} claims whose lease had run out", swept.size());
            }
            return swept;
        } catch (StoreException e) {
            LOG.warn("cannot renew or sweep now: {}", e.getMessage());
            return List.of();
        }
    }

    private boolean renew() {
        Claim before = identity;
        boolean renewed = before == null ? claimIdentity() : beat(before);
        long now = nanoTime.getAsLong();
        if (!renewed || !Objects.equals(identity, before) || now - lastRenewal >= lease.toNanos()) {
            renewedSince = now; // a new beginning, or a gap
        }
        if (renewed) {
            lastRenewal = now;
            shareWithOthers();
        }
        return renewed;
    }

    private boolean beat(Claim before) {
        return switch (claims.heartbeat(before.resource(), before.fence())) {
            case HeartbeatOutcome.Extended _ -> true;
            case Refusal.Busy _ -> false;
            case Refusal refusal -> {
                LOG.warn("this broker was taken for dead ({}); it goes on as a new incarnation", refusal.message());
                identity = null;
                onLost.run();
                yield claimIdentity();
            }
        };
    }

    private boolean claimIdentity() {
        String holder = name + "." + ++incarnation;
        ClaimOutcome outcome = claims.claim(ClaimRequest.of(new Resource(Kind.BROKER, holder), holder));
        identity = switch (outcome) {
            case Granted granted -> granted.claim();
            case AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> null;
            case Refusal _ -> null;
        };
        return identity != null;
    }

    private boolean steadyForHalfItsLease() {
        return nanoTime.getAsLong() - renewedSince >= lease.toNanos() / 2;
    }

    /** Brokers on one store try different candidates first. */
    private void shareWithOthers() {
        List<String> brokers = claims.held(Kind.BROKER, null, null).stream()
                .map(Claim::holder)
                .sorted()
                .toList();
        int share = identity == null ? -1 : brokers.indexOf(identity.holder());
        claims.share(Math.max(share, 0), Math.max(1, brokers.size()));
    }

    /** Lets go of the identity, so that others need not wait for it to run out. */
    @Override
    public synchronized void close() {
        if (identity != null) {
            claims.release(identity, null);
            identity = null;
        }
    }
}
