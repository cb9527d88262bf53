package dev.holdfast.work;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backlog on a store, which many agents work through without doing anything twice.
 *
 * <ol>
 *   <li>Each item is a claimable resource {@code work:<id>}. That resource is the only record of whether it is free,
 *       held or done; a status is never a claim.
 *   <li>Dependencies say what an item waits for; its resource row says whether it is ready, and is kept up to date by
 *       the transaction that closes what it waits for. Claim-next looks at nothing else.
 *   <li>Changing or closing a held item needs the claim's fence. A caller that has lost the claim gets an error that
 *       names the current holder.
 * </ol>
 */
public final class WorkItems {
    /**
     * @param maxPerAgent how many items an agent may hold at a time; null: no limit
     * @param maxAttempts an item is parked as blocked after this many failed or expired claims
     */
    public record Rules(@Nullable Integer maxPerAgent, int maxAttempts) {
        public static final Rules DEFAULT = new Rules(null, 3);
    }

    private final ItemCreation making;
    private final ItemUpdates changing;
    private final Dependencies dependencies;
    private final WorkClaims claiming;
    private final ItemClosing closing;
    private final KindClaims kindClaims;
    private final Backlog backlog;
    private final Board board;
    private final DependencyNetwork network;
    private final Reservations reservations;
    private final ItemChanges changes;
    private final Claims claims;

    /** @param ids generates a new text every time */
    public WorkItems(Store store, Claims claims, Rules rules, Supplier<String> ids) {
        this.claims = claims;
        changes = new ItemChanges(store, claims.transactional(), new Readiness(claims.transactional()), ids);
        making = new ItemCreation(changes, rules.maxAttempts());
        changing = new ItemUpdates(changes);
        dependencies = new Dependencies(changes);
        reservations = new Reservations(store, claims.transactional(), ids);
        claiming = new WorkClaims(changes, claims, reservations, rules.maxPerAgent());
        closing = new ItemClosing(changes, claiming);
        kindClaims = new WorkKindClaims(claims, claiming);
        backlog = new Backlog(store);
        board = new Board(store);
        network = new DependencyNetwork(store);
    }

    public static WorkItems over(Store store, Claims claims) {
        return new WorkItems(store, claims, Rules.DEFAULT, new NearbyIds());
    }

    public ItemCreation making() {
        return making;
    }

    public ItemUpdates changing() {
        return changing;
    }

    public Dependencies dependencies() {
        return dependencies;
    }

    public WorkClaims claiming() {
        return claiming;
    }

    public ItemClosing closing() {
        return closing;
    }

    /** For callers that name items {@code work:<id>}. */
    public KindClaims kindClaims() {
        return kindClaims;
    }

    public Backlog backlog() {
        return backlog;
    }

    public Board board() {
        return board;
    }

    public DependencyNetwork network() {
        return network;
    }

    public Reservations reservations() {
        return reservations;
    }

    /** For other code that changes items. */
    public ItemChanges changes() {
        return changes;
    }

    public Claims claims() {
        return claims;
    }
}
