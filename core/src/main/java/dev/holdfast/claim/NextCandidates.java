package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.store.Store;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Proposes to each claim-next what it may get, from memory, and refills that memory from the table ahead of need. */
final class NextCandidates implements AutoCloseable {
    private final Store store;
    private final ReadySet ready;
    private final @Nullable LatestGrants latest;
    private final ReentrantLock refilling = new ReentrantLock();
    private final ExecutorService refills = Executors.newVirtualThreadPerTaskExecutor();

    /** @param latest for a statement that reads only the grants since the holder's latest one */
    NextCandidates(Store store, ReadySet ready, @Nullable LatestGrants latest) {
        this.store = store;
        this.ready = ready;
        this.latest = latest;
    }

    /** The best candidate, which nobody else is offered until it is settled or given back; empty if none is known. */
    Optional<Item> take(NextAttempt attempt) {
        Kind kind = attempt.asked().kind();
        Filter filter = attempt.asked().filter();
        Optional<Item> candidate = ready.take(kind, filter);
        if (candidate.isPresent()) {
            if (ready.startsToRefill(kind, filter.queue())) {
                refills.execute(() -> refill(kind, filter));
            }
            return candidate;
        }
        refilling.lock(); // one caller queries the table for all that found the set empty
        try {
            Optional<Item> broughtByAnother = ready.take(kind, filter);
            if (broughtByAnother.isPresent() || !ready.isUsedUp(kind, filter.queue())) {
                return broughtByAnother;
            }
            refill(kind, filter);
            return ready.take(kind, filter);
        } finally {
            refilling.unlock();
        }
    }

    private void refill(Kind kind, Filter filter) {
        ready.refill(
                kind,
                filter.queue(),
                () -> store.read(
                        transaction -> Candidates.ready(transaction, kind, withoutLabels(filter), ReadySet.REFILL)));
    }

    /** A set holds the best of a queue regardless of labels; a match is looked for in the set, then in the table. */
    private static Filter withoutLabels(Filter filter) {
        return new Filter(filter.queue(), Set.of());
    }

    /** The request to claim a candidate. */
    Take request(Item candidate, NextAttempt attempt, @Nullable End after) {
        return Take.next(candidate, attempt, latest == null ? 0 : latest.since(attempt.asked()), after);
    }

    /** @param at when, by the store's clock */
    void granted(NextRequest asked, long at) {
        if (latest != null) {
            latest.granted(asked, at);
        }
    }

    /** The candidate's fate is known: it is gone. */
    void settled(Item candidate) {
        ready.settled(candidate);
    }

    /** The candidate was not claimed and may be offered to others. */
    void giveBack(Item candidate) {
        ready.settled(candidate);
        ready.add(candidate);
    }

    @Override
    public void close() {
        refills.close();
    }
}
