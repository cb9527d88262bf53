package dev.holdfast.claim;

import java.util.concurrent.CompletableFuture;

/**
 * The write path of the frequent operations. Futures complete after the commit; contention and outages complete them
 * with a BusyException.
 */
interface ClaimEngine extends AutoCloseable {
    /**
     * Claims one resource by name.
     *
     * @param requestId the caller's own, or one generated for this call so that a second run is recognised
     */
    CompletableFuture<ClaimOutcome> claim(ClaimRequest asked, long lease, String requestId);

    CompletableFuture<ClaimOutcome> next(NextAttempt attempt);

    CompletableFuture<HeartbeatOutcome> heartbeat(Resource resource, Fence fence);

    CompletableFuture<EndOutcome> end(Resource resource, Fence fence, Ending ending);

    CompletableFuture<EndedAndNext> endAndNext(Resource resource, Fence fence, Ending ending, NextAttempt attempt);

    @Override
    void close();
}
