package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.event.Event;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.OnSettableStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A backlog on an empty store, and what tests do with it again and again. */
abstract class OnBacklog extends OnSettableStore {
    static final Duration TTL = Duration.ofMinutes(45);

    WorkItems work;

    OnBacklog(Engine engine) {
        super(engine);
        work = WorkItems.over(on.store(), claims);
    }

    @BeforeEach
    void empty() {
        claims.close();
        on.empty();
        claims = Claims.over(on.store());
        work = WorkItems.over(on.store(), claims);
    }

    @AfterEach
    void closeClaims() {
        claims.close();
    }

    final WorkItems limited(int maxPerAgent) {
        return new WorkItems(
                on.store(),
                claims,
                new WorkItems.Rules(maxPerAgent, 3),
                () -> UUID.randomUUID().toString());
    }

    String create(String title, String... after) {
        return work.making()
                .create(NewWork.titled(title).dependsOn(Set.of(after)))
                .id();
    }

    WorkItem shown(String id) {
        return work.backlog().find(id).orElseThrow();
    }

    WorkStatus status(String id) {
        return shown(id).status();
    }

    ClaimOutcome tryClaim(String id, String holder) {
        return work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), holder), Set.of());
    }

    Claim claim(String id, String holder) {
        ClaimOutcome outcome = tryClaim(id, holder);
        assertThat(outcome).isInstanceOf(ClaimOutcome.Granted.class);
        return WorkClaims.granted(outcome).orElseThrow();
    }

    ClaimOutcome tryNext(String holder) {
        return work.claiming().next(NextRequest.of(Kind.WORK, holder));
    }

    /** The id of what the holder is given, confirmed, or null. */
    @Nullable
    String next(String holder) {
        return WorkClaims.granted(tryNext(holder))
                .map(claim -> {
                    claims.heartbeat(claim.resource(), claim.fence());
                    return claim.resource().id();
                })
                .orElse(null);
    }

    void close(String id, Claim claim) {
        work.closing().close(id, claim.fence(), null, null);
    }

    void done(String id, String holder) {
        close(id, claim(id, holder));
    }

    WorkItem update(String id, @Nullable Claim claim, WorkChange change) {
        return work.changing().update(id, claim == null ? new Fence(null, null) : claim.fence(), change);
    }

    void passTtl() {
        on.settableClock().advance(TTL.plusSeconds(1));
    }

    List<String> eventTypes(String id) {
        return claims.tail().after(0, "work:" + id, 100).stream()
                .map(Event::type)
                .toList();
    }
}
