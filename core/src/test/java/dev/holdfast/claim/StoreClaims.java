package dev.holdfast.claim;

import dev.holdfast.event.Events;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link Claims} on a store, as the proof sees them. */
final class StoreClaims implements Subject {
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final TestStore on;
    private final Claims claims;
    private final boolean ownStore;

    private StoreClaims(TestStore on, boolean ownStore) {
        this.on = on;
        this.ownStore = ownStore;
        claims = Claims.over(on.store());
    }

    static StoreClaims on(Engine engine) {
        return new StoreClaims(TestStore.settable(engine), true);
    }

    /** On a store that is reused, and closed by somebody else. */
    static StoreClaims on(TestStore store) {
        return new StoreClaims(store, false);
    }

    Claims claims() {
        return claims;
    }

    @Override
    public ClaimOutcome claim(ClaimRequest asked) {
        return claims.claim(asked);
    }

    @Override
    public ClaimOutcome claimNext(NextRequest asked) {
        return claims.claimNext(asked);
    }

    @Override
    public HeartbeatOutcome heartbeat(Resource resource, Fence fence) {
        return claims.heartbeat(resource, fence);
    }

    @Override
    public HolderHeartbeat heartbeat(String holder) {
        return claims.heartbeat(holder);
    }

    @Override
    public void markReported(String holder, List<DisplacedClaim> lost) {
        claims.markReported(holder, lost);
    }

    @Override
    public Optional<Refusal> guard(Resource resource, Fence fence) {
        return on.store().write(transaction -> claims.guard(transaction, resource, fence));
    }

    @Override
    public EndOutcome end(Resource resource, Fence fence, Ending ending) {
        return claims.end(resource, fence, ending);
    }

    @Override
    public EndedAndNext completeAndNext(Resource resource, Fence fence, Ending ending, NextRequest next) {
        return claims.completeAndNext(resource, fence, ending, next);
    }

    @Override
    public List<Claim> releaseAll(String holder, @Nullable String note) {
        return claims.releaseAll(holder, note);
    }

    @Override
    public boolean create(NewResource made) {
        return claims.create(made);
    }

    @Override
    public boolean unblock(Resource resource) {
        return claims.unblock(resource);
    }

    @Override
    public boolean reclaim(Resource resource, long expectedGeneration, String reason) {
        return claims.reclaim(resource, expectedGeneration, reason);
    }

    @Override
    public List<Resource> sweep(int max) {
        return claims.sweep(max);
    }

    @Override
    public List<Claim> held() {
        return claims.held(null, null, null);
    }

    @Override
    public List<DomainEvent> events() {
        return events(on.store());
    }

    /** All events except those of things coming due, which a store notices when it looks and the model never does. */
    static List<DomainEvent> events(Store store) {
        return store.read(transaction -> Events.after(transaction, 0, Long.MAX_VALUE, Integer.MAX_VALUE)).stream()
                .filter(event -> !event.type().equals("due"))
                .map(event -> new DomainEvent(
                        event.at(), event.type(), Resource.parse(event.resource()), event.actor(), event.generation()))
                .toList();
    }

    @Override
    public int dropIdle() {
        return new Retention(on.store(), KEYS_ARE_KEPT, FOR_EVER, Set.of()).drop();
    }

    @Override
    public Instant now() {
        return on.settableClock().now();
    }

    /**
     * Makes ready at once what has come due by then (every claim-next does that), as the timer does on a real clock.
     */
    @Override
    public void advance(Duration step) {
        on.settableClock().advance(step);
        claims.claimNext(NextRequest.of(Kind.REVIEW, "timer"));
    }

    @Override
    public void close() {
        claims.close();
        if (ownStore) {
            on.close();
        }
    }
}
