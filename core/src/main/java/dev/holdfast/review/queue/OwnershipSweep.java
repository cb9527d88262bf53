package dev.holdfast.review.queue;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a broker with a pool starts, reclaims the reviews of holders that went down together with the brokers, instead
 * of waiting for their leases to expire.
 *
 * <ol>
 *   <li>It happens once, in the broker that has been alive longest, and only if no other was alive when it started:
 *       agents that work through another broker keep working when one is added or restarted. A crashed broker counts as
 *       alive until its own lease expires, except on SQLite, where there can be no other.
 *   <li>It reclaims claims that were not renewed since this broker started and whose holder is not alive: neither a
 *       reviewer of a live broker, nor an agent or person with a live session, nor a person who has opened the review's
 *       page, who has no session.
 *   <li>Each claim is checked again under its lock; what was renewed or ended meanwhile stays as it is.
 * </ol>
 */
public final class OwnershipSweep {
    private static final Logger LOG = LoggerFactory.getLogger(OwnershipSweep.class);

    private final ReviewChanges changes;
    private final Claims claims;
    private final ReviewReclaims reclaims;
    private final Reviewers reviewers;
    private final People people;
    private @Nullable Instant started;
    private boolean over;

    /** Tells whether somebody has opened a review's page. */
    public interface People {
        boolean opened(Transaction transaction, String review, String person) throws SQLException;
    }

    public OwnershipSweep(
            ReviewChanges changes, Claims claims, ReviewReclaims reclaims, Reviewers reviewers, People people) {
        this.changes = changes;
        this.claims = claims;
        this.reclaims = reclaims;
        this.reviewers = reviewers;
        this.people = people;
    }

    /**
     * Sweeps as soon as it is known who is alive; call it every few seconds.
     *
     * @param broker this broker's own identity; null: it has none yet
     * @return what was reclaimed
     */
    public synchronized List<Resource> turn(@Nullable String broker) {
        if (over || broker == null) {
            return List.of();
        }
        List<Claim> brokers = claims.held(Kind.BROKER, null, null);
        Optional<Claim> own =
                brokers.stream().filter(claim -> claim.holder().equals(broker)).findFirst();
        if (own.isEmpty()) {
            return List.of();
        }
        Instant since = Objects.requireNonNullElse(started, own.get().claimedAt());
        started = since;
        List<Claim> older = brokers.stream()
                .filter(other -> older(other, own.get()) && mayBeAlive(other))
                .toList();
        if (older.isEmpty()) {
            List<Resource> taken = reclaimSilentSince(since);
            over = true; // not reached if the store became unavailable
            return taken;
        }
        over = older.stream().anyMatch(other -> other.renewedAt().isAfter(since));
        return List.of();
    }

    private static boolean older(Claim other, Claim own) {
        int order = other.claimedAt().compareTo(own.claimedAt());
        return order < 0 || (order == 0 && other.holder().compareTo(own.holder()) < 0);
    }

    private boolean mayBeAlive(Claim broker) {
        return switch (changes.store().engine()) {
            case SQLITE -> false;
            case POSTGRES ->
                broker.expiresAt().isAfter(ReviewTable.instant(changes.store().read(transaction -> transaction.now())));
        };
    }

    private List<Resource> reclaimSilentSince(Instant start) {
        List<Resource> taken = new ArrayList<>();
        for (Claim held : claims.held(Kind.REVIEW, null, null)) {
            if (held.renewedAt().isBefore(start)
                    && reclaims.reclaim(held, "stale_session", locked -> isGone(held, locked))) {
                taken.add(held.resource());
            }
        }
        if (!taken.isEmpty()) {
            LOG.info(
                    "reclaimed {} held by agents that are gone",
                    taken.size() == 1 ? "1 review" : taken.size() + " reviews");
        }
        return taken;
    }

    /** False if the claim was renewed meanwhile. */
    private boolean isGone(Claim held, ReviewChanges.Locked locked) throws SQLException {
        return held.equals(locked.claimState().claim())
                && !reviewers.alive(locked.transaction(), held.holder())
                && !people.opened(locked.transaction(), held.resource().id(), held.holder());
    }
}
