package dev.holdfast.claim;

import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker's own claim on its identity, and the sweeps that depend on it.
 *
 * <p>A broker sweeps only after it has renewed its identity without a gap for half its lease: after a pause or a
 * database outage everybody's heartbeats are late, and reclaiming everything at once would be wrong. A broker that has
 * lost its identity continues as a new incarnation.
 *
 * <p>A sweep reclaims a limited number of claims. If most claims seem to have expired at once, a problem between the
 * broker and the holders is more likely than the death of all holders, so sweeps pause to let live holders send a
 * heartbeat. Neither prevents anybody from taking over an expired claim.
 */
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final int AT_ONCE = 500;
    /** Fewer than this may well die together. */
    private static final int MANY = 20;

    /**
     * How cautiously claims are reclaimed.
     *
     * @param max the maximum per sweep
     * @param pause how long to wait if most claims seem to have expired at once; zero: no pause
     */
    public record Caution(int max, Duration pause) {
        public static final Caution DEFAULT = new Caution(500, Duration.ofSeconds(60));
    }

    private final Claims claims;
    private final BrokerIdentity identity;
    private final Caution caution;
    private final LongSupplier nanoTime;
    private @Nullable Long pausedSince;

    /** Uses the default caution. */
    public Sweeper(Claims claims, String name, LongSupplier nanoTime, Runnable onLost) {
        this(claims, name, Caution.DEFAULT, nanoTime, onLost);
    }

    /**
     * @param name this process's own name, new at every start
     * @param onLost called when the identity is lost
     */
    public Sweeper(Claims claims, String name, Caution caution, LongSupplier nanoTime, Runnable onLost) {
        this.claims = claims;
        this.caution = caution;
        this.nanoTime = nanoTime;
        identity = new BrokerIdentity(claims, name, nanoTime, onLost);
    }

    /** The holder name that this broker has now. */
    public @Nullable String identity() {
        Claim claim = identity.claim();
        return claim == null ? null : claim.holder();
    }

    /** Whether this broker has been alive long enough without a gap to judge that others are dead. */
    public boolean steady() {
        return identity.steady();
    }

    /** Renews, then sweeps; returns what was reclaimed. Call it every few seconds. */
    public List<Resource> turn() {
        return renew() ? sweep() : List.of();
    }

    /** Renews the identity without waiting for a sweep, which may take long. Call it every few seconds. */
    public boolean renew() {
        return identity.renew();
    }

    /** Sweeps if that is safe, which it is only right after a renewal; returns what was reclaimed. */
    public synchronized List<Resource> sweep() {
        try {
            shareWithOthers();
            if (!steady() || pauses()) {
                return List.of();
            }
            List<Resource> swept = new ArrayList<>();
            int some;
            do {
                List<Resource> more = claims.sweep(Math.min(AT_ONCE, caution.max() - swept.size()));
                swept.addAll(more);
                some = more.size();
            } while (some >= AT_ONCE && swept.size() < caution.max());
            if (!swept.isEmpty()) {
                LOG.info("reclaimed {} expired {}", swept.size(), swept.size() == 1 ? "claim" : "claims");
            }
            return swept;
        } catch (StoreException e) {
            LOG.warn("cannot sweep now: {}", e.getMessage());
            return List.of();
        }
    }

    /** Whether so much has expired at once that sweeps should pause; logs it once. */
    private boolean pauses() {
        LeaseCounts leaseCounts = claims.leaseCounts();
        boolean alarming = leaseCounts.expired() >= MANY && leaseCounts.expired() * 2 > leaseCounts.held();
        if (!alarming) {
            pausedSince = null;
            return false;
        }
        long now = nanoTime.getAsLong();
        if (pausedSince == null) {
            pausedSince = now;
            if (!caution.pause().isZero()) {
                LOG.warn(
                        "{} of {} claims expired at once; sweeping pauses for {} s, so that holders that are"
                                + " alive can send a heartbeat",
                        leaseCounts.expired(),
                        leaseCounts.held(),
                        caution.pause().toSeconds());
                appendPauseEvent(leaseCounts);
            }
        }
        return now - pausedSince < caution.pause().toNanos();
    }

    private void appendPauseEvent(LeaseCounts leaseCounts) {
        Claim own = identity.claim();
        if (own != null) {
            Map<String, Object> detail = Map.of(
                    "held",
                    leaseCounts.held(),
                    "expired",
                    leaseCounts.expired(),
                    "seconds",
                    caution.pause().toSeconds());
            claims.appendEvent(own, new DomainEvent("sweeps_paused", own.holder(), detail));
        }
    }

    /** Spreads the brokers on one store over different candidates. */
    private void shareWithOthers() {
        List<String> brokers = claims.held(Kind.BROKER, null, null).stream()
                .map(Claim::holder)
                .sorted()
                .toList();
        String own = identity();
        int share = own == null ? -1 : brokers.indexOf(own);
        claims.share(Math.max(share, 0), Math.max(1, brokers.size()));
    }

    /** Releases the identity, so that others need not wait for it to expire. */
    @Override
    public void close() {
        identity.close();
    }
}
