package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.CombinedStatement.Judged;
import dev.holdfast.claim.CombinedStatement.Verdict;
import dev.holdfast.store.PostgresStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The frequent operations go to one of two writers, and there into the combined statement;
 * what that leaves over runs row by row in a transaction of its own. Claim-next proposes candidates from memory.
 */
final class PostgresClaimEngine implements ClaimEngine {
    private static final int WRITERS = 2;
    private static final int CROWD = 64;
    private static final int MOST_MISSES = 8;

    private final PostgresStore store;
    private final RowClaims rows;
    private final Announcements announcements;
    private final ReadySet ready;
    private final PostgresWriter[] writers = new PostgresWriter[WRITERS];
    private final ReentrantLock refilling = new ReentrantLock();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    PostgresClaimEngine(
            PostgresStore store, RowClaims rows, Announcements announcements, ReadySet ready, Runnable changed) {
        this.store = store;
        this.rows = rows;
        this.announcements = announcements;
        this.ready = ready;
        announcements.listen(ready::add);
        store.onFailover(ready::clear);
        for (int i = 0; i < WRITERS; i++) {
            writers[i] = new PostgresWriter("holdfast-postgres-writer-" + (i + 1), store, changed);
        }
    }

    @Override
    public CompletableFuture<ClaimOutcome> claim(ClaimRequest asked, long lease, String requestId) {
        if (asked.under() != null) {
            return rowByRow(asked, lease, requestId);
        }
        return submit(CombinedRequest.claim(asked, lease, requestId)).thenCompose(judged -> switch (judged.verdict()) {
            case GRANT, EXTEND ->
                done(granted(
                        judged,
                        asked.resource(),
                        asked.holder(),
                        judged.verdict() == Verdict.EXTEND
                                && (asked.requestId() != null || asked.generation() != null)));
            case REFUSE -> done(Rules.notFree(rowOf(judged), null, judged.now()));
            case RENEW, END, OWN, UNASKED, ELSEWHERE, SKIPPED -> rowByRow(asked, lease, requestId);
        });
    }

    private CompletableFuture<ClaimOutcome> rowByRow(ClaimRequest asked, long lease, String requestId) {
        return store.submit(transaction -> rows.claim(transaction, asked, lease, requestId));
    }

    @Override
    public CompletableFuture<ClaimOutcome> next(NextAttempt attempt) {
        return next(attempt, 0);
    }

    private CompletableFuture<ClaimOutcome> next(NextAttempt attempt, int misses) {
        Optional<Item> candidate = misses < MOST_MISSES ? candidate(attempt) : Optional.empty();
        if (candidate.isEmpty()) {
            return nextFromTable(attempt);
        }
        return submit(CombinedRequest.next(candidate.get(), attempt, false))
                .thenCompose(judged -> nextOutcome(judged, candidate.get(), attempt, misses));
    }

    private CompletableFuture<ClaimOutcome> nextOutcome(
            Judged judged, Item candidate, NextAttempt attempt, int misses) {
        return switch (judged.verdict()) {
            // without the caller's own id an extension can only be the second run of this very call
            case GRANT, EXTEND ->
                done(granted(
                        judged,
                        Resource.parse(candidate.key()),
                        attempt.asked().holder(),
                        judged.verdict() == Verdict.EXTEND && attempt.asked().requestId() != null));
            case OWN -> {
                ready.add(candidate);
                yield nextFromTable(attempt);
            }
            case SKIPPED -> {
                if (misses + 1 < MOST_MISSES) {
                    ready.add(candidate); // locked for a moment: it may still be the best there is
                }
                yield done(misses).thenComposeAsync(count -> next(attempt, count + 1), threads);
            }
            case REFUSE, ELSEWHERE, UNASKED, RENEW, END ->
                done(misses).thenComposeAsync(count -> next(attempt, count + 1), threads);
        };
    }

    /** The definite answer: asks the table itself, and only this may say that there is nothing. */
    private CompletableFuture<ClaimOutcome> nextFromTable(NextAttempt attempt) {
        return store.submit(transaction -> rows.next(transaction, attempt));
    }

    private Optional<Item> candidate(NextAttempt attempt) {
        Kind kind = attempt.asked().kind();
        Filter filter = attempt.asked().filter();
        Optional<Item> candidate = ready.take(kind, filter);
        if (candidate.isPresent()) {
            return candidate;
        }
        refilling.lock(); // one asks the table for all who found the set empty
        try {
            Optional<Item> broughtByAnother = ready.take(kind, filter);
            if (broughtByAnother.isPresent() || !ready.isUsedUp(kind, filter.queue())) {
                return broughtByAnother;
            }
            ready.refill(
                    kind,
                    filter.queue(),
                    () -> store.read(transaction ->
                            Candidates.ready(transaction, kind, withoutLabels(filter), ReadySet.REFILL)));
            return ready.take(kind, filter);
        } finally {
            refilling.unlock();
        }
    }

    /** A set holds the best of a queue whatever their labels; what fits is looked for in it, then in the table. */
    private static Filter withoutLabels(Filter filter) {
        return new Filter(filter.queue(), Set.of());
    }

    @Override
    public CompletableFuture<HeartbeatOutcome> heartbeat(Resource resource, Fence fence) {
        if (!fence.complete()) {
            return heartbeatRowByRow(resource, fence);
        }
        return submit(CombinedRequest.renew(resource, fence)).thenCompose(judged -> switch (judged.verdict()) {
            case RENEW -> done(new HeartbeatOutcome.Extended(claim(judged, resource, holderOf(fence))));
            case REFUSE -> {
                ResourceRow row = rowOf(judged);
                yield done(Rules.guard(row, fence)
                        .<HeartbeatOutcome>map(refusal -> Rules.asLost(row, null, refusal))
                        .orElseThrow());
            }
            case GRANT, EXTEND, END, OWN, UNASKED, ELSEWHERE, SKIPPED -> heartbeatRowByRow(resource, fence);
        });
    }

    private CompletableFuture<HeartbeatOutcome> heartbeatRowByRow(Resource resource, Fence fence) {
        return store.submit(transaction -> rows.heartbeat(transaction, resource, fence));
    }

    @Override
    public CompletableFuture<EndOutcome> end(Resource resource, Fence fence, Ending ending) {
        if (!combinable(fence, ending)) {
            return endRowByRow(resource, fence, ending);
        }
        return submit(CombinedRequest.end(resource, fence, ending))
                .thenCompose(judged -> ended(judged, resource, fence, ending));
    }

    private static boolean combinable(Fence fence, Ending ending) {
        return fence.complete() && ending.how() != Ending.How.FAILED;
    }

    private CompletableFuture<EndOutcome> ended(Judged judged, Resource resource, Fence fence, Ending ending) {
        return switch (judged.verdict()) {
            case END -> {
                ResourceRow row = judged.row();
                if (row == null) {
                    announcements.ended(resource);
                } else {
                    Rules.end(row, ending, judged.now());
                    announcements.freed(row);
                }
                yield done(new EndOutcome.Ended(resource, judged.generation(), ending.how(), false, false));
            }
            case REFUSE -> {
                ResourceRow row = rowOf(judged);
                Refusal refusal = Rules.guard(row, fence).orElseThrow();
                yield done(Rules.refuseEnding(row, null, fence, ending, refusal));
            }
            case GRANT, EXTEND, RENEW, OWN, UNASKED, ELSEWHERE, SKIPPED -> endRowByRow(resource, fence, ending);
        };
    }

    private CompletableFuture<EndOutcome> endRowByRow(Resource resource, Fence fence, Ending ending) {
        return store.submit(transaction -> rows.end(transaction, resource, fence, ending));
    }

    @Override
    public CompletableFuture<EndedAndNext> endAndNext(
            Resource resource, Fence fence, Ending ending, NextAttempt attempt) {
        // what is let go otherwise is ready again, and may itself be the next
        boolean together = fence.complete() && ending.how() == Ending.How.COMPLETED;
        Optional<Item> candidate = together ? candidate(attempt) : Optional.empty();
        if (candidate.isEmpty()) {
            return end(resource, fence, ending).thenCompose(ended -> thenNext(ended, attempt));
        }
        CombinedRequest end = CombinedRequest.end(resource, fence, ending);
        CombinedRequest next = CombinedRequest.next(candidate.get(), attempt, true);
        return writer(end.key()).submit(List.of(end, next)).thenCompose(judged -> {
            Judged ofNext = judged.get(1);
            return ended(judged.get(0), resource, fence, ending).thenCompose(ended -> {
                if (ended instanceof Refusal || ofNext.verdict() == Verdict.UNASKED) {
                    ready.add(candidate.get());
                    return thenNext(ended, attempt);
                }
                return nextOutcome(ofNext, candidate.get(), attempt, 0)
                        .thenApply(given -> new EndedAndNext(ended, given));
            });
        });
    }

    private CompletableFuture<EndedAndNext> thenNext(EndOutcome ended, NextAttempt attempt) {
        return switch (ended) {
            case EndOutcome.Ended _ -> next(attempt).thenApply(next -> new EndedAndNext(ended, next));
            case Refusal _ -> done(new EndedAndNext(ended, null));
        };
    }

    private CompletableFuture<Judged> submit(CombinedRequest ask) {
        return writer(ask.key()).submit(List.of(ask)).thenApply(List::getFirst);
    }

    /**
     * A statement costs more than a further line in it: as long as few wait they share one writer, and only a crowd keeps
     * both busy, each resource then at one of them.
     */
    private PostgresWriter writer(String key) {
        return writers[0].waiting() < CROWD ? writers[0] : writers[Math.floorMod(key.hashCode(), WRITERS)];
    }

    private static ClaimOutcome granted(Judged judged, Resource resource, String holder, boolean already) {
        Claim claim = claim(judged, resource, holder);
        return already ? new AlreadyHeld(claim, judged.note()) : new Granted(claim, null, judged.note());
    }

    private static Claim claim(Judged judged, Resource resource, String holder) {
        return new Claim(
                resource,
                holder,
                judged.generation(),
                ResourceRow.instant(judged.acquiredAt()),
                ResourceRow.instant(judged.now()),
                ResourceRow.instant(judged.expiresAt()),
                judged.confirmed(),
                judged.attempts(),
                null);
    }

    private static ResourceRow rowOf(Judged judged) {
        return Objects.requireNonNull(judged.row());
    }

    private static String holderOf(Fence fence) {
        return Objects.requireNonNull(fence.holder());
    }

    private static <T extends @Nullable Object> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    @Override
    public void close() {
        for (PostgresWriter writer : writers) {
            writer.close();
        }
        threads.close();
    }
}
