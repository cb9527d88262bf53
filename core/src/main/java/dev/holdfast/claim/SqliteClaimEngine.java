package dev.holdfast.claim;

import dev.holdfast.store.SqliteStore;
import java.util.concurrent.CompletableFuture;

/** Every operation is a piece of work for the store's one writer, which combines what waits into one commit. */
final class SqliteClaimEngine implements ClaimEngine {
    private final SqliteStore store;
    private final RowClaims rows;

    SqliteClaimEngine(SqliteStore store, RowClaims rows) {
        this.store = store;
        this.rows = rows;
    }

    @Override
    public CompletableFuture<ClaimOutcome> claim(ClaimRequest asked, long lease, String requestId) {
        return store.submit(transaction -> rows.claim(transaction, asked, lease, requestId));
    }

    @Override
    public CompletableFuture<ClaimOutcome> next(NextAttempt attempt) {
        return store.submit(transaction -> rows.next(transaction, attempt));
    }

    @Override
    public CompletableFuture<HeartbeatOutcome> heartbeat(Resource resource, Fence fence) {
        return store.submit(transaction -> rows.heartbeat(transaction, resource, fence));
    }

    @Override
    public CompletableFuture<EndOutcome> end(Resource resource, Fence fence, Ending ending) {
        return store.submit(transaction -> rows.end(transaction, resource, fence, ending));
    }

    @Override
    public CompletableFuture<EndedAndNext> endAndNext(
            Resource resource, Fence fence, Ending ending, NextAttempt attempt) {
        return store.submit(transaction -> {
            EndOutcome ended = rows.end(transaction, resource, fence, ending);
            return new EndedAndNext(ended, ended instanceof Refusal ? null : rows.next(transaction, attempt));
        });
    }

    @Override
    public void close() {}
}
