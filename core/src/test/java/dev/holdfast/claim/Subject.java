package dev.holdfast.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the proof is about: claims on a clock that the test moves. The model is one, each store another. */
public interface Subject extends AutoCloseable {
    /** How long a free-standing key that nobody holds is remembered here. */
    Duration KEYS_ARE_KEPT = Duration.ofHours(10);

    /** An event as the proof sees it. */
    record DomainEvent(
            Instant at,
            String type,
            Resource resource,
            @Nullable String actor,
            @Nullable Long generation) {}

    ClaimOutcome claim(ClaimRequest asked);

    ClaimOutcome claimNext(NextRequest asked);

    HeartbeatOutcome heartbeat(Resource resource, Fence fence);

    HolderHeartbeat heartbeat(String holder);

    void markReported(String holder, List<DisplacedClaim> lost);

    Optional<Refusal> guard(Resource resource, Fence fence);

    EndOutcome end(Resource resource, Fence fence, Ending ending);

    EndedAndNext completeAndNext(Resource resource, Fence fence, Ending ending, NextRequest next);

    List<Claim> releaseAll(String holder, @Nullable String note);

    boolean create(NewResource made);

    boolean unblock(Resource resource);

    boolean reclaim(Resource resource, long expectedGeneration, String reason);

    List<Resource> sweep(int max);

    List<Claim> held();

    List<DomainEvent> events();

    /** Drops keys that nobody has held for a long time; returns how many. */
    int dropIdle();

    Instant now();

    void advance(Duration step);

    @Override
    void close();
}
