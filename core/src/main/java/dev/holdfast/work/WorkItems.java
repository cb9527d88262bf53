package dev.holdfast.work;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.store.Store;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backlog on a store, which many agents work through without doing anything twice.
 *
 * <ol>
 *   <li>Each item is a claimable resource {@code work:<id>}. Whether it is free, held or done is read from there and
 *       written nowhere else; a status is never a claim.
 *   <li>What an item waits for stands in its dependencies, and whether it is ready in its resource row, kept so by the
 *       transaction that closes what it waits for. Whoever takes the next one looks at nothing else.
 *   <li>Whoever changes or closes an item that is held shows the fence of the claim. Callers that have lost it get an error, and
 *       who has it now.
 * </ol>
 */
public final class WorkItems {
    /**
     * @param mostPerAgent how many items an agent may hold at a time; null: any number
     * @param mostAttempts an item is parked as blocked after so many failed or expired claims
     */
    public record Rules(@Nullable Integer mostPerAgent, int mostAttempts) {
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

    /** @param ids makes texts that are new every time */
    public WorkItems(Store store, Claims claims, Rules rules, Supplier<String> ids) {
        this.claims = claims;
        changes = new ItemChanges(store, claims.gate(), new Readiness(claims.gate()), ids);
        making = new ItemCreation(changes, rules.mostAttempts());
        changing = new ItemUpdates(changes);
        dependencies = new Dependencies(changes);
        reservations = new Reservations(store, claims.gate(), ids);
        claiming = new WorkClaims(changes, claims, reservations, rules.mostPerAgent());
        closing = new ItemClosing(changes, claiming);
        kindClaims = new WorkKindClaims(claims, claiming);
        backlog = new Backlog(store);
        board = new Board(store);
        network = new DependencyNetwork(store);
    }

    public static WorkItems over(Store store, Claims claims) {
        return new WorkItems(
                store, claims, Rules.DEFAULT, () -> UUID.randomUUID().toString());
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

    /** For those who name items {@code work:<id>}. */
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

    /** For what else changes items. */
    public ItemChanges changes() {
        return changes;
    }

    public Claims claims() {
        return claims;
    }
}
