package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Event;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A backlog on an empty store, and what tests do with it again and again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnBothStores {
    static final Duration TTL = Duration.ofMinutes(45);

    final TestStore on;
    Claims claims;
    WorkItems work;

    OnBothStores(Engine engine) {
        on = TestStore.settable(engine);
        claims = Claims.over(on.store());
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

    @AfterAll
    void close() {
        on.close();
    }

    final WorkItems limited(int mostPerAgent) {
        return new WorkItems(
                on.store(),
                claims,
                new WorkItems.Rules(mostPerAgent, 3),
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

    static void assertRefused(ThrowingCallable call, String code, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).hasToString(code))
                .hasMessageContaining(text);
    }
}
