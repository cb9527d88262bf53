package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims items: one by name, or the best one that is ready. Only a grant is a claim.
 *
 * <p>An item is claimed by its resource row alone; its status in_progress follows from that. If there is more to check
 * in the same step (how many items the agent already has, the paths it wants), the grant is made in our own
 * transaction.
 */
public final class WorkClaims {
    private static final int LOOKS = 5;

    private static final Sql LOCK_HOLDER = Sql.of(
            "SELECT 1 AS locked FROM (SELECT pg_advisory_xact_lock(hashtext('work holder'), hashtext(:holder))) l");

    private final ItemChanges changes;
    private final Claims claims;
    private final Reservations reservations;
    private final @Nullable Integer maxPerAgent;

    /** @param maxPerAgent how many items an agent may hold at a time; null: no limit */
    WorkClaims(ItemChanges changes, Claims claims, Reservations reservations, @Nullable Integer maxPerAgent) {
        this.changes = changes;
        this.claims = claims;
        this.reservations = reservations;
        this.maxPerAgent = maxPerAgent;
    }

    /** Which items are wanted: in one queue, with all these labels, of this type; null: any. */
    public static Filter filter(@Nullable String queue, Set<String> labels, @Nullable String type) {
        return new Filter(queue == null ? null : WorkLimits.queue(queue), ItemRow.marks(labels, type));
    }

    /**
     * As {@link #claim(ClaimRequest, Set, String)}, with paths in the repository that the item's queue is named after.
     */
    public ClaimOutcome claim(ClaimRequest asked, Set<String> paths) {
        return claim(asked, paths, null);
    }

    /**
     * Claims an item and, in the same step, reserves the paths to be changed for it.
     *
     * @param repository the repository of the paths; null: the one that the item's queue is named after
     */
    public ClaimOutcome claim(ClaimRequest asked, Set<String> paths, @Nullable String repository) {
        List<Glob> globs = paths.isEmpty() ? List.of() : Glob.all(paths);
        if (maxPerAgent == null && globs.isEmpty() && asked.under() == null) {
            return explained(claims.claim(asked));
        }
        // set once, so that a rerun of the transaction recognises the first run's grant
        ClaimRequest named =
                asked.requestId() == null ? asked.requestId(changes.ids().get()) : asked;
        return explained(
                globs.isEmpty()
                        ? claims.claim(named, transaction -> attempt(transaction, named))
                        : claim(named, globs, repository == null ? null : WorkLimits.queue(repository)));
    }

    private ClaimOutcome attempt(Transaction transaction, ClaimRequest named) throws SQLException {
        lockHolder(transaction, named.holder());
        ClaimOutcome outcome = changes.transactional().claim(transaction, named);
        refuseTooMany(transaction, named.holder(), outcome);
        return outcome;
    }

    private ClaimOutcome claim(ClaimRequest named, List<Glob> globs, @Nullable String repository) {
        String reservation = changes.ids().get();
        PathComparison wanted = new PathComparison(
                named.holder(), repository == null ? queueOf(named.resource()) : repository, globs, true);
        return wanted.then(
                changes.store(),
                () -> claims.claim(named, transaction -> {
                    ClaimOutcome outcome = attempt(transaction, named);
                    Optional<Claim> claim = granted(outcome);
                    if (claim.isPresent()) {
                        if (repository == null) {
                            refuseIfMoved(transaction, claim.get(), wanted);
                        }
                        reserve(transaction, reservation, claim.get(), wanted);
                    }
                    return outcome;
                }));
    }

    private String queueOf(Resource resource) {
        return changes.store()
                .read(transaction -> ItemTable.find(transaction, resource.id()))
                .map(item -> item.queue)
                .orElse(""); // the claim will report that it does not exist
    }

    /** Adds what is in the way to a refusal, instead of only the state. */
    private ClaimOutcome explained(ClaimOutcome outcome) {
        if (!(outcome instanceof Refusal.NotClaimable refused)) {
            return outcome;
        }
        return changes.store()
                .read(transaction -> hindrance(transaction, refused.resource().id()))
                .map(hindrance -> new Refusal.NotClaimable(refused.resource(), hindrance))
                .orElse(refused);
    }

    /** Names no items of other queues: the caller may be limited to this one. */
    private static Optional<String> hindrance(Transaction transaction, String id) throws SQLException {
        Optional<WorkItem> item = ItemTable.show(transaction, id);
        Set<String> near = new HashSet<>();
        for (String other : item.map(WorkItem::blockedBy).orElse(List.of())) {
            ItemTable.find(transaction, other)
                    .filter(row -> row.queue.equals(item.orElseThrow().queue()))
                    .ifPresent(row -> near.add(row.id));
        }
        return item.flatMap(shown -> shown.hindrance(near::contains));
    }

    private void reserve(Transaction transaction, String id, Claim claim, PathComparison wanted) throws SQLException {
        reservations.reserve(transaction, id, wanted, null, new OuterClaim(claim.resource(), claim.generation()));
    }

    private static void refuseIfMoved(Transaction transaction, Claim claim, PathComparison wanted) throws SQLException {
        String itemId = claim.resource().id();
        ItemRow item = ItemTable.find(transaction, itemId).orElseThrow(() -> ItemChanges.notFound(itemId));
        if (!item.queue.equals(wanted.queue())) {
            throw new RefusedException(
                    RefusalCode.BUSY, "work item " + itemId + " has just been moved to " + item.queue + "; try again");
        }
    }

    /** Claims the best ready item that matches; see {@link #filter}. */
    public ClaimOutcome next(NextRequest asked) {
        for (int look = 0; look < LOOKS; look++) {
            ClaimOutcome outcome = maxPerAgent == null
                    ? claims.claimNext(asked)
                    : claims.claimNext(asked, transaction -> nextIn(transaction, asked));
            if (!(outcome instanceof ClaimOutcome.Granted granted)
                    || claims.runBeforeDelivery(outcome, () -> fits(granted.claim(), asked.filter()))) {
                return outcome;
            }
            claims.release(granted.claim(), null); // it was chosen by values that have just changed
        }
        return new Refusal.Busy("the ready items changed " + LOOKS + " times during the search; try again");
    }

    /** As above in a transaction, without waiting. */
    ClaimOutcome nextIn(Transaction transaction, NextRequest asked) throws SQLException {
        lockHolder(transaction, asked.holder());
        ClaimOutcome outcome = changes.transactional().next(transaction, asked);
        refuseTooMany(transaction, asked.holder(), outcome);
        return outcome;
    }

    private boolean fits(Claim claim, Filter filter) {
        if (filter.queue() == null && filter.labels().isEmpty()) {
            return true;
        }
        return changes.store()
                .read(transaction ->
                        ItemTable.find(transaction, claim.resource().id()))
                .map(item -> (filter.queue() == null || filter.queue().equals(item.queue))
                        && item.marks().containsAll(filter.labels()))
                .orElse(true);
    }

    /** Ensures that two concurrent claims of one agent see each other. */
    private void lockHolder(Transaction transaction, String holder) throws SQLException {
        if (maxPerAgent != null && transaction.engine() == Engine.POSTGRES) {
            transaction.first(LOCK_HOLDER, p -> p.text("holder", holder), row -> row.number("locked"));
        }
    }

    private void refuseTooMany(Transaction transaction, String holder, ClaimOutcome outcome) throws SQLException {
        if (maxPerAgent != null
                && outcome instanceof ClaimOutcome.Granted
                && changes.transactional().heldCount(transaction, Kind.WORK, holder) > maxPerAgent) {
            throw new RefusedException(
                    RefusalCode.NOT_CLAIMABLE,
                    holder + " has " + maxPerAgent + " work item" + (maxPerAgent == 1 ? "" : "s")
                            + " already, the most an agent may hold at once; close or release one first");
        }
    }

    /** The claim, if the outcome is one. */
    public static Optional<Claim> granted(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> Optional.of(granted.claim());
            case ClaimOutcome.AlreadyHeld already -> Optional.of(already.claim());
            case ClaimOutcome.Nothing _ -> Optional.empty();
            case Refusal _ -> Optional.empty();
        };
    }
}
