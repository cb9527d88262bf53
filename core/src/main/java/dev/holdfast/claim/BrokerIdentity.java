package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker's claim on its own name. A renewal waits only for its own write, and readers of the state never wait for a
 * renewal.
 */
final class BrokerIdentity {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerIdentity.class);

    private final Claims claims;
    private final String name;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Runnable onLost;
    private long incarnation;
    private volatile State state = new State(null, 0, 0);

    /**
     * @param renewedSince when the current run of renewals without a gap began
     * @param lastRenewal when it was last renewed
     */
    private record State(@Nullable Claim claim, long renewedSince, long lastRenewal) {}

    BrokerIdentity(Claims claims, String name, LongSupplier nanoTime, Runnable onLost) {
        this.claims = claims;
        this.name = name;
        this.nanoTime = nanoTime;
        this.onLost = onLost;
        lease = claims.leases().byKind().getOrDefault(Kind.BROKER, Kind.BROKER.lease());
    }

    @Nullable
    Claim claim() {
        return state.claim;
    }

    /** Whether it has been renewed without a gap for at least half its lease, up to now. */
    boolean steady() {
        State now = state;
        long time = nanoTime.getAsLong();
        return now.claim != null
                && time - now.renewedSince >= lease.toNanos() / 2
                && time - now.lastRenewal < lease.toNanos();
    }

    /** Claims the name or renews the claim; after a loss, claims it again as a new incarnation. */
    synchronized boolean renew() {
        try {
            State before = state;
            Claim claim = before.claim == null ? claimed() : beat(before.claim);
            long now = nanoTime.getAsLong();
            boolean gap = claim == null
                    || !Objects.equals(claim, before.claim)
                    || now - before.lastRenewal >= lease.toNanos();
            state = new State(
                    claim == null ? state.claim : claim,
                    gap ? now : before.renewedSince,
                    claim == null ? before.lastRenewal : now);
            return claim != null;
        } catch (StoreException e) {
            LOG.warn("cannot renew this broker's identity now: {}", e.getMessage());
            return false;
        }
    }

    /** Null if the store is busy. */
    private @Nullable Claim beat(Claim before) {
        return switch (claims.heartbeat(before.resource(), before.fence())) {
            case HeartbeatOutcome.Extended _ -> before;
            case Refusal.Busy _ -> null;
            case Refusal refusal -> {
                LOG.warn("this broker was considered dead ({}); it continues as a new incarnation", refusal.message());
                state = new State(null, state.renewedSince, state.lastRenewal);
                onLost.run();
                yield claimed();
            }
        };
    }

    private @Nullable Claim claimed() {
        String holder = name + "." + ++incarnation;
        return switch (claims.claim(ClaimRequest.of(new Resource(Kind.BROKER, holder), holder))) {
            case Granted granted -> granted.claim();
            case AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> null;
            case Refusal _ -> null;
        };
    }

    /** Releases the claim, so that others need not wait for it to expire. */
    synchronized void close() {
        Claim claim = state.claim;
        if (claim != null) {
            claims.release(claim, null);
            state = new State(null, 0, 0);
        }
    }
}
