package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedResult.Ended;
import dev.holdfast.claim.CombinedResult.Missed;
import dev.holdfast.claim.CombinedResult.Renewed;
import dev.holdfast.claim.CombinedResult.Taken;
import dev.holdfast.event.Events;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.Combiner;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.store.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frequent operations to the combined statement, which changes only clear-cut cases. A refusal follows from
 * the row as read right after it; everything else runs row by row in its own transaction. Claim-next proposes
 * candidates from memory.
 */
final class CombinedClaimEngine implements ClaimEngine {
    private static final int POSTGRES_WRITERS = 2;
    private static final int CAPACITY = 20_000;
    private static final int LARGEST_BATCH = 256;
    private static final int MAX_MISSES = 8;

    private final Store store;
    private final RowClaims rows;
    private final Announcements announcements;
    private final NextCandidates candidates;
    private final Combiner<CombinedUnit> combiner;
    private final Runnable closeWriters;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Uses two connections, so that under load one batch is written while the other's callers are being answered. */
    static CombinedClaimEngine on(
            PostgresStore store, RowClaims rows, Announcements announcements, ReadySet ready, Runnable changed) {
        List<PostgresWriter> writers = Stream.generate(() -> new PostgresWriter(store, changed))
                .limit(POSTGRES_WRITERS)
                .toList();
        LatestGrants latest = new LatestGrants();
        store.onFailover(
                () -> { // another server has taken over and may lack the latest changes
                    ready.clear();
                    latest.clear();
                });
        return new CombinedClaimEngine(
                store,
                rows,
                announcements,
                ready,
                latest,
                combiner(
                        Executors.newVirtualThreadPerTaskExecutor(),
                        writers.stream()
                                .<Consumer<List<CombinedUnit>>>map(writer -> writer::write)
                                .toList(),
                        () -> true),
                () -> writers.forEach(PostgresWriter::close));
    }

    /**
     * SQLite has one writer and works inside the call, so on a virtual thread it would block other virtual threads.
     * Releases are announced on that writer's thread, and whoever is woken there claims at once; it must not write on
     * that thread itself, or it would deadlock waiting for itself.
     */
    static CombinedClaimEngine on(
            SqliteStore store, RowClaims rows, Announcements announcements, ReadySet ready, Events events) {
        SqliteBatches batches = new SqliteBatches(store, events);
        ExecutorService threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().name("holdfast-claims").daemon().factory());
        return new CombinedClaimEngine(
                store,
                rows,
                announcements,
                ready,
                null,
                combiner(threads, List.of(batches::write), () -> !store.isWriting()),
                () -> {});
    }

    private static Combiner<CombinedUnit> combiner(
            ExecutorService threads, List<Consumer<List<CombinedUnit>>> writers, BooleanSupplier callerMayWrite) {
        return new Combiner<>(threads, CAPACITY, LARGEST_BATCH, CombinedUnit::keys, writers, callerMayWrite);
    }

    private CombinedClaimEngine(
            Store store,
            RowClaims rows,
            Announcements announcements,
            ReadySet ready,
            @Nullable LatestGrants latest,
            Combiner<CombinedUnit> combiner,
            Runnable closeWriters) {
        this.store = store;
        this.rows = rows;
        this.announcements = announcements;
        candidates = new NextCandidates(store, ready, latest);
        this.combiner = combiner;
        this.closeWriters = closeWriters;
        announcements.listen(ready::add);
    }

    @Override
    public CompletableFuture<ClaimOutcome> claim(ClaimRequest asked, long lease, String requestId) {
        if (asked.under() != null) {
            return rowByRow(asked, lease, requestId);
        }
        return then(submit(Take.named(asked, lease, requestId)), written -> switch (written) {
            case Taken taken -> done(granted(taken, asked.resource(), asked.holder(), lease));
            case Missed missed ->
                isTakenByAnother(missed, asked, requestId)
                        ? done(Rules.notFree(rowOf(missed), null, missed.now()))
                        : rowByRow(asked, lease, requestId);
            case Renewed _, Ended _ -> throw new IllegalStateException("a claim was answered with " + written);
        });
    }

    /** Clearly a refusal; anything less clear is decided under the lock. */
    private static boolean isTakenByAnother(Missed missed, ClaimRequest asked, String requestId) {
        ResourceRow row = missed.row();
        return row != null
                && row.under == null
                && !Rules.free(row, null, missed.now())
                && !Rules.alreadyHolds(row, asked, requestId);
    }

    private CompletableFuture<ClaimOutcome> rowByRow(ClaimRequest asked, long lease, String requestId) {
        return store.submit(transaction -> rows.claim(transaction, asked, lease, requestId));
    }

    @Override
    public CompletableFuture<ClaimOutcome> next(NextAttempt attempt) {
        return next(attempt, 0);
    }

    private CompletableFuture<ClaimOutcome> next(NextAttempt attempt, int misses) {
        Optional<Item> candidate = misses < MAX_MISSES ? candidates.take(attempt) : Optional.empty();
        if (candidate.isEmpty()) {
            return nextFromTable(attempt);
        }
        return giveBackIfLost(
                candidate.get(),
                then(
                        submit(candidates.request(candidate.get(), attempt, null)),
                        written -> nextOutcome(written, candidate.get(), attempt, misses)));
    }

    private CompletableFuture<ClaimOutcome> nextOutcome(
            CombinedResult written, Item candidate, NextAttempt attempt, int misses) {
        candidates.settled(candidate);
        return switch (written) {
            case Taken taken -> {
                candidates.granted(attempt.asked(), taken.now());
                yield done(granted(
                        taken, Resource.parse(candidate.key()), attempt.asked().holder(), attempt.lease()));
            }
            case Missed missed -> nextAfterMiss(missed, candidate, attempt, misses);
            case Renewed _, Ended _ -> throw new IllegalStateException("a claim was answered with " + written);
        };
    }

    private CompletableFuture<ClaimOutcome> nextAfterMiss(
            Missed missed, Item candidate, NextAttempt attempt, int misses) {
        ResourceRow row = missed.row();
        if (row != null && row.offered()) { // locked at that moment, or the caller has an unconfirmed grant
            candidates.giveBack(candidate);
            return nextFromTable(attempt);
        }
        NextRequest asked = attempt.asked();
        ClaimRequest same =
                ClaimRequest.of(Resource.parse(candidate.key()), asked.holder()).requestId(asked.requestId());
        if (row != null && Rules.alreadyHolds(row, same, attempt.requestId())) { // by the first run of this same call
            return rowByRow(same, attempt.lease(), attempt.requestId())
                    .thenCompose(outcome -> outcome instanceof Refusal ? next(attempt, misses + 1) : done(outcome));
        }
        return done(misses).thenComposeAsync(count -> next(attempt, count + 1), threads);
    }

    /** The authoritative answer: queries the table itself. Only this may report that there is nothing. */
    private CompletableFuture<ClaimOutcome> nextFromTable(NextAttempt attempt) {
        return store.submit(transaction -> rows.next(transaction, attempt));
    }

    @Override
    public CompletableFuture<HeartbeatOutcome> heartbeat(Resource resource, Fence fence) {
        if (!fence.complete()) {
            return heartbeatRowByRow(resource, fence);
        }
        Renew renew = new Renew(resource.toString(), holderOf(fence), generationOf(fence));
        return then(submit(renew), written -> switch (written) {
            case Renewed renewed -> done(new HeartbeatOutcome.Extended(extended(renewed, resource, renew)));
            case Missed missed -> {
                Optional<Refusal> refusal = refusal(missed, fence);
                yield refusal.isPresent()
                        ? done(Rules.asLost(rowOf(missed), null, refusal.get()))
                        : heartbeatRowByRow(resource, fence);
            }
            case Taken _, Ended _ -> throw new IllegalStateException("a heartbeat was answered with " + written);
        });
    }

    /**
     * Why the row refuses this fence, if it clearly does; a soft claim is fenced by its outer claim, so it is not
     * decided here.
     */
    private static Optional<Refusal> refusal(Missed missed, Fence fence) {
        ResourceRow row = missed.row();
        return row == null || row.under != null ? Optional.empty() : Rules.guard(row, fence);
    }

    private CompletableFuture<HeartbeatOutcome> heartbeatRowByRow(Resource resource, Fence fence) {
        return store.submit(transaction -> rows.heartbeat(transaction, resource, fence));
    }

    @Override
    public CompletableFuture<EndOutcome> end(Resource resource, Fence fence, Ending ending) {
        if (!combinable(fence, ending)) {
            return endRowByRow(resource, fence, ending);
        }
        return then(submit(endOf(resource, fence, ending)), written -> ended(written, resource, fence, ending));
    }

    private static End endOf(Resource resource, Fence fence, Ending ending) {
        return new End(resource.toString(), holderOf(fence), generationOf(fence), ending);
    }

    private static boolean combinable(Fence fence, Ending ending) {
        return fence.complete() && ending.how() != Ending.How.FAILED;
    }

    private CompletableFuture<EndOutcome> ended(CombinedResult written, Resource resource, Fence fence, Ending ending) {
        return switch (written) {
            case Ended ended -> {
                if (ended.offered() != null) {
                    announcements.offered(ended.offered());
                }
                announcements.ended(resource);
                yield done(new EndOutcome.Ended(resource, generationOf(fence), ending.how(), false, false));
            }
            case Missed missed -> {
                Optional<Refusal> refusal = refusal(missed, fence);
                yield refusal.isPresent()
                        ? done(Rules.refuseEnding(rowOf(missed), null, fence, ending, refusal.get()))
                        : endRowByRow(resource, fence, ending);
            }
            case Taken _, Renewed _ -> throw new IllegalStateException("an ending was answered with " + written);
        };
    }

    private CompletableFuture<EndOutcome> endRowByRow(Resource resource, Fence fence, Ending ending) {
        return store.submit(transaction -> rows.end(transaction, resource, fence, ending));
    }

    @Override
    public CompletableFuture<EndedAndNext> endAndNext(
            Resource resource, Fence fence, Ending ending, NextAttempt attempt) {
        // anything but a completed resource is ready again, and may itself be the next
        boolean together = fence.complete() && ending.how() == Ending.How.COMPLETED;
        Optional<Item> candidate = together ? candidates.take(attempt) : Optional.empty();
        if (candidate.isEmpty()) {
            return endThenNext(resource, fence, ending, attempt);
        }
        if (candidate.get().key().equals(resource.toString())) { // a batch contains each resource only once
            candidates.giveBack(candidate.get());
            return endThenNext(resource, fence, ending, attempt);
        }
        End end = endOf(resource, fence, ending);
        Take next = candidates.request(candidate.get(), attempt, end);
        CompletableFuture<EndedAndNext> answer = then(
                submit(CombinedUnit.of(end, next)),
                written -> then(ended(written.get(0), resource, fence, ending), ended -> {
                    if (ended instanceof Refusal) {
                        candidates.giveBack(candidate.get());
                        return done(new EndedAndNext(ended, null));
                    }
                    return nextOutcome(written.get(1), candidate.get(), attempt, 0)
                            .thenApply(given -> new EndedAndNext(ended, given));
                }));
        return giveBackIfLost(candidate.get(), answer);
    }

    private CompletableFuture<EndedAndNext> endThenNext(
            Resource resource, Fence fence, Ending ending, NextAttempt attempt) {
        return end(resource, fence, ending).thenCompose(ended -> switch (ended) {
            case EndOutcome.Ended _ -> next(attempt).thenApply(next -> new EndedAndNext(ended, next));
            case Refusal _ -> done(new EndedAndNext(ended, null));
        });
    }

    /** A caller that gets Busy or an error never hears of the candidate, so put it back into the set. */
    private <T> CompletableFuture<T> giveBackIfLost(Item candidate, CompletableFuture<T> answer) {
        return answer.whenComplete((_, failure) -> {
            if (failure != null) {
                candidates.giveBack(candidate);
            }
        });
    }

    /** Continues in the caller's turn: this thread may belong to another caller, which wrote for both. */
    private static <A, B> CompletableFuture<B> then(
            CompletableFuture<A> before, Function<A, CompletableFuture<B>> after) {
        Turn turn = Turn.current();
        return before.thenCompose(answer -> turn.call(() -> after.apply(answer)));
    }

    private CompletableFuture<CombinedResult> submit(CombinedRequest request) {
        return submit(CombinedUnit.of(request)).thenApply(List::getFirst);
    }

    private CompletableFuture<List<CombinedResult>> submit(CombinedUnit unit) {
        try {
            combiner.submit(unit);
        } catch (BusyException e) {
            unit.answer().completeExceptionally(e);
        }
        return unit.answer();
    }

    private static ClaimOutcome granted(Taken taken, Resource resource, String holder, long lease) {
        Instant now = ResourceRow.instant(taken.now());
        Claim claim = new Claim(
                resource,
                holder,
                taken.generation(),
                now,
                now,
                ResourceRow.instant(taken.now() + lease),
                false,
                taken.attempts(),
                null);
        return new Granted(claim, null, taken.note());
    }

    private static Claim extended(Renewed renewed, Resource resource, Renew by) {
        return new Claim(
                resource,
                by.holder(),
                by.generation(),
                ResourceRow.instant(renewed.acquiredAt()),
                ResourceRow.instant(renewed.now()),
                ResourceRow.instant(renewed.expiresAt()),
                true,
                renewed.attempts(),
                null);
    }

    private static ResourceRow rowOf(Missed missed) {
        return Objects.requireNonNull(missed.row());
    }

    private static String holderOf(Fence fence) {
        return Objects.requireNonNull(fence.holder());
    }

    private static long generationOf(Fence fence) {
        return Objects.requireNonNull(fence.generation());
    }

    private static <T extends @Nullable Object> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    @Override
    public void close() {
        combiner.close();
        closeWriters.run();
        candidates.close();
        threads.close();
    }
}
