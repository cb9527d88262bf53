package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.Ending.How;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every claim engine promises about one resource: claiming, holding, releasing. */
abstract class ClaimsContract {
    static final Resource KEY = Resource.key("deploy");
    static final Resource WORK = Resource.parse("work:1");
    static final Duration MINUTE = Duration.ofMinutes(1);

    Subject claims;

    abstract Subject subject();

    @BeforeEach
    void open() {
        claims = subject();
    }

    @AfterEach
    void close() {
        claims.close();
    }

    Claim granted(Resource resource, String holder) {
        return ((Granted) claims.claim(ClaimRequest.of(resource, holder).ttl(MINUTE))).claim();
    }

    Claim confirmed(Resource resource, String holder) {
        Claim claim = granted(resource, holder);
        claims.heartbeat(resource, claim.fence());
        return claim;
    }

    Claim made(Resource resource, String holder) {
        claims.create(NewResource.of(resource));
        return granted(resource, holder);
    }

    EndOutcome release(Claim claim) {
        return claims.end(claim.resource(), claim.fence(), Ending.released(null));
    }

    EndOutcome complete(Claim claim) {
        return claims.end(claim.resource(), claim.fence(), Ending.completed("done"));
    }

    EndOutcome fail(Claim claim) {
        return claims.end(claim.resource(), claim.fence(), Ending.failed("broke", null));
    }

    static EndOutcome.Ended ended(Claim claim, How how, boolean replayed) {
        return new EndOutcome.Ended(claim.resource(), claim.generation(), how, replayed, false);
    }

    List<String> eventTypes(Resource resource) {
        return claims.events().stream()
                .filter(event -> event.resource().equals(resource))
                .map(Subject.DomainEvent::type)
                .toList();
    }

    private Claim claim(Resource resource, String holder, long generation, Instant until) {
        return new Claim(resource, holder, generation, claims.now(), claims.now(), until, false, 0, null);
    }

    @Test
    void a_free_key_is_granted_at_generation_1() {
        Instant until = claims.now().plus(MINUTE);
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").ttl(MINUTE)))
                .isEqualTo(new Granted(claim(KEY, "ann", 1, until), null, null));
        assertThat(claims.held()).containsExactly(claim(KEY, "ann", 1, until));
    }

    @Test
    void without_a_ttl_the_kinds_own_lease_counts() {
        claims.create(NewResource.of(WORK));
        assertThat(claims.claim(ClaimRequest.of(WORK, "ann")))
                .isEqualTo(new Granted(claim(WORK, "ann", 1, claims.now().plus(Kind.WORK.lease())), null, null));
    }

    @Test
    void a_held_key_is_refused_with_holder_and_times() {
        Claim first = granted(KEY, "ann");
        claims.advance(Duration.ofSeconds(10));
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob")))
                .isEqualTo(new Refusal.Held(
                        KEY, "ann", first.claimedAt(), first.expiresAt(), Duration.ofSeconds(50), null));
    }

    @Test
    void the_same_holder_under_another_request_is_refused_too() {
        claims.claim(ClaimRequest.of(KEY, "ann").requestId("one"));
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").requestId("two"))).isInstanceOf(Refusal.Held.class);
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann"))).isInstanceOf(Refusal.Held.class);
    }

    @Test
    void the_same_request_brings_the_same_grant_extended() {
        claims.claim(ClaimRequest.of(KEY, "ann").ttl(MINUTE).requestId("one"));
        claims.advance(Duration.ofSeconds(10));
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").ttl(MINUTE).requestId("one")))
                .isInstanceOfSatisfying(AlreadyHeld.class, again -> {
                    assertThat(again.claim().generation()).isEqualTo(1);
                    assertThat(again.claim().expiresAt()).isEqualTo(claims.now().plus(MINUTE));
                    assertThat(again.claim().confirmed()).isFalse();
                });
        assertThat(eventTypes(KEY)).containsExactly("claimed");
    }

    @Test
    void another_holder_cannot_use_somebodys_request_id() {
        claims.claim(ClaimRequest.of(KEY, "ann").requestId("one"));
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob").requestId("one"))).isInstanceOf(Refusal.Held.class);
    }

    @Test
    void a_holder_that_shows_its_generation_gets_the_same_grant_confirmed() {
        Claim first = granted(KEY, "ann");
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").ttl(MINUTE).generation(1L)))
                .isInstanceOfSatisfying(AlreadyHeld.class, again -> {
                    assertThat(again.claim().generation()).isEqualTo(first.generation());
                    assertThat(again.claim().confirmed()).isTrue();
                });
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").generation(2L))).isInstanceOf(Refusal.Held.class);
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob").generation(1L))).isInstanceOf(Refusal.Held.class);
    }

    @Test
    void claiming_again_never_shortens_a_lease() {
        claims.claim(ClaimRequest.of(KEY, "ann").ttl(Duration.ofHours(2)).requestId("one"));
        assertThat(claims.claim(
                        ClaimRequest.of(KEY, "ann").ttl(Duration.ofSeconds(1)).requestId("one")))
                .isInstanceOfSatisfying(
                        AlreadyHeld.class,
                        again -> assertThat(again.claim().expiresAt())
                                .isEqualTo(claims.now().plus(Duration.ofHours(2))));
    }

    @Test
    void a_thing_that_was_never_made_is_not_found() {
        assertThat(claims.claim(ClaimRequest.of(WORK, "ann"))).isEqualTo(new Refusal.NotFound(WORK));
        assertThat(claims.heartbeat(WORK, Fence.of("ann", 1))).isEqualTo(new Refusal.NotFound(WORK));
        assertThat(claims.end(WORK, Fence.of("ann", 1), Ending.completed("done")))
                .isEqualTo(new Refusal.NotFound(WORK));
        assertThat(claims.guard(WORK, Fence.of("ann", 1))).contains(new Refusal.NotFound(WORK));
    }

    @Test
    void a_key_that_was_never_claimed_is_not_held() {
        assertThat(claims.heartbeat(KEY, Fence.of("ann", 1))).isEqualTo(new Refusal.Lost(KEY, null, 0));
        assertThat(claims.end(KEY, Fence.of("ann", 1), Ending.released(null))).isEqualTo(new Refusal.NotHeld(KEY));
    }

    @Test
    void a_thing_is_made_once() {
        assertThat(claims.create(NewResource.of(WORK))).isTrue();
        assertThat(claims.create(NewResource.of(WORK).priority(0))).isFalse();
        assertThat(eventTypes(WORK)).containsExactly("created");
    }

    @Test
    void a_blocked_thing_is_not_claimable_until_it_is_unblocked() {
        claims.create(NewResource.of(WORK).blocked(true));
        assertThat(claims.claim(ClaimRequest.of(WORK, "ann"))).isEqualTo(new Refusal.NotClaimable(WORK, "blocked"));
        assertThat(claims.unblock(WORK)).isTrue();
        assertThat(claims.unblock(WORK)).isFalse();
        assertThat(granted(WORK, "ann").generation()).isEqualTo(1);
    }

    @Test
    void a_finished_thing_is_not_claimable() {
        complete(made(WORK, "ann"));
        assertThat(claims.claim(ClaimRequest.of(WORK, "bob"))).isEqualTo(new Refusal.NotClaimable(WORK, "done"));
        assertThat(claims.unblock(WORK)).isFalse();
    }

    @Test
    void a_thing_is_not_claimable_before_its_time() {
        Instant due = claims.now().plus(MINUTE);
        claims.create(NewResource.of(WORK).notBefore(due));
        assertThat(claims.claim(ClaimRequest.of(WORK, "ann")))
                .isEqualTo(new Refusal.NotClaimable(WORK, "not due before " + due));
        claims.advance(MINUTE);
        assertThat(granted(WORK, "ann").generation()).isEqualTo(1);
    }

    @Test
    void at_its_expiry_a_claim_can_be_taken_over_in_one_step() {
        Claim first = granted(KEY, "ann");
        claims.advance(MINUTE.minusNanos(1_000));
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob"))).isInstanceOf(Refusal.Held.class);
        claims.advance(Duration.ofNanos(1_000));
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob").ttl(MINUTE)))
                .isEqualTo(new Granted(
                        claim(KEY, "bob", 2, claims.now().plus(MINUTE)),
                        new Displaced("ann", first.generation()),
                        null));
        assertThat(eventTypes(KEY)).containsExactly("claimed", "taken_over");
    }

    @Test
    void past_its_expiry_a_claim_that_nobody_took_can_still_be_renewed_and_ended() {
        Claim claim = granted(KEY, "ann");
        claims.advance(MINUTE.multipliedBy(3));
        assertThat(claims.heartbeat(KEY, claim.fence()))
                .isInstanceOfSatisfying(
                        HeartbeatOutcome.Extended.class,
                        extended -> assertThat(extended.claim().expiresAt())
                                .isEqualTo(claims.now().plus(MINUTE)));
        claims.advance(MINUTE.multipliedBy(3));
        assertThat(release(claim)).isEqualTo(ended(claim, How.RELEASED, false));
    }

    @Test
    void a_displaced_holder_can_neither_renew_nor_release_nor_complete() {
        Claim first = made(WORK, "ann");
        claims.advance(MINUTE);
        granted(WORK, "bob");
        assertThat(claims.heartbeat(WORK, first.fence())).isEqualTo(new Refusal.Lost(WORK, "bob", 2));
        assertThat(release(first)).isEqualTo(new Refusal.Lost(WORK, "bob", 2));
        assertThat(complete(first)).isEqualTo(new Refusal.Stale(WORK, 1, 2));
        assertThat(claims.guard(WORK, first.fence())).contains(new Refusal.Stale(WORK, 1, 2));
    }

    @Test
    void the_same_holder_after_its_own_expiry_gets_a_new_grant() {
        granted(KEY, "ann");
        claims.advance(MINUTE);
        assertThat(granted(KEY, "ann").generation()).isEqualTo(2);
        assertThat(claims.heartbeat("ann").lost()).isEmpty();
    }

    @Test
    void generations_grow_on_grants_and_reclaims_only() {
        Claim first = granted(KEY, "ann");
        claims.heartbeat(KEY, first.fence());
        assertThat(claims.reclaim(KEY, 1, "operator")).isTrue();
        assertThat(granted(KEY, "ann").generation()).isEqualTo(3);
        release(new Claim(KEY, "ann", 3, claims.now(), claims.now(), claims.now(), false, 0, null));
        assertThat(granted(KEY, "bob").generation()).isEqualTo(4);
    }

    @Test
    void a_reclaim_of_another_generation_changes_nothing() {
        Claim claim = granted(KEY, "ann");
        assertThat(claims.reclaim(KEY, 2, "operator")).isFalse();
        assertThat(claims.reclaim(KEY, 0, "operator")).isFalse();
        assertThat(claims.reclaim(Resource.key("none"), 0, "operator")).isFalse();
        assertThat(claims.held()).containsExactly(claim);
        release(claim);
        assertThat(claims.reclaim(KEY, 1, "operator")).isFalse();
        assertThat(eventTypes(KEY)).containsExactly("claimed", "released");
    }

    @Test
    void after_a_reclaim_the_old_fence_is_worth_nothing() {
        Claim claim = made(WORK, "ann");
        claims.reclaim(WORK, 1, "process died");
        assertThat(claims.heartbeat(WORK, claim.fence())).isEqualTo(new Refusal.Lost(WORK, null, 2));
        assertThat(complete(claim)).isEqualTo(new Refusal.Stale(WORK, 1, 2));
        assertThat(claims.heartbeat("ann").lost()).containsExactly(new DisplacedClaim(WORK, 1, "process died"));
    }

    @Test
    void nobody_can_guess_the_generation_of_a_reclaim() {
        release(granted(KEY, "ann"));
        granted(KEY, "bob");
        claims.reclaim(KEY, 2, "operator");
        assertThat(claims.end(KEY, Fence.of("cid", 3), Ending.completed("done")))
                .isEqualTo(new Refusal.NotHeld(KEY));
    }

    @Test
    void a_fence_is_worth_nothing_on_a_thing_nobody_holds() {
        Claim claim = made(WORK, "ann");
        release(claim);
        assertThat(claims.guard(WORK, claim.fence())).contains(new Refusal.NotHeld(WORK));
        assertThat(complete(claim)).isEqualTo(new Refusal.BadState(WORK, "released"));
        assertThat(claims.heartbeat(WORK, claim.fence())).isEqualTo(new Refusal.Lost(WORK, null, 1));
        assertThat(claims.held()).isEmpty();
    }

    @Test
    void the_guard_names_the_first_thing_that_is_wrong() {
        granted(KEY, "ann");
        assertThat(claims.guard(KEY, new Fence(null, 7L))).contains(new Refusal.FenceMissing(KEY));
        assertThat(claims.guard(KEY, new Fence("bob", null))).contains(new Refusal.FenceMissing(KEY));
        assertThat(claims.guard(KEY, Fence.of("bob", 7))).contains(new Refusal.Stale(KEY, 7, 1));
        assertThat(claims.guard(KEY, Fence.of("bob", 1))).contains(new Refusal.WrongHolder(KEY, "bob", "ann"));
        assertThat(claims.guard(KEY, Fence.of("ann", 1))).isEmpty();
        claims.end(KEY, Fence.of("ann", 1), Ending.released(null));
        assertThat(claims.guard(KEY, Fence.of("bob", 1))).contains(new Refusal.WrongHolder(KEY, "bob", "ann"));
        assertThat(claims.guard(KEY, Fence.of("ann", 1))).contains(new Refusal.NotHeld(KEY));
    }

    @Test
    void another_holder_with_the_right_generation_changes_nothing() {
        Claim claim = made(WORK, "ann");
        Fence forged = Fence.of("bob", 1);
        assertThat(claims.end(WORK, forged, Ending.completed("done")))
                .isEqualTo(new Refusal.WrongHolder(WORK, "bob", "ann"));
        assertThat(claims.end(WORK, forged, Ending.released(null))).isEqualTo(new Refusal.Lost(WORK, "ann", 1));
        assertThat(claims.heartbeat(WORK, forged)).isEqualTo(new Refusal.Lost(WORK, "ann", 1));
        assertThat(claims.held()).containsExactly(claim);
    }

    @Test
    void half_a_fence_is_no_fence() {
        Claim claim = made(WORK, "ann");
        Fence nameless = new Fence(null, 1L);
        assertThat(claims.end(WORK, nameless, Ending.completed("done"))).isEqualTo(new Refusal.FenceMissing(WORK));
        assertThat(claims.end(WORK, new Fence("ann", null), Ending.released(null)))
                .isEqualTo(new Refusal.FenceMissing(WORK));
        assertThat(claims.heartbeat(WORK, nameless)).isEqualTo(new Refusal.FenceMissing(WORK));
        assertThat(claims.held()).containsExactly(claim);
    }

    @Test
    void the_same_ending_again_is_answered_as_a_replay_without_a_second_event() {
        Claim claim = made(WORK, "ann");
        assertThat(complete(claim)).isEqualTo(ended(claim, How.COMPLETED, false));
        assertThat(complete(claim)).isEqualTo(ended(claim, How.COMPLETED, true));
        assertThat(eventTypes(WORK)).containsExactly("created", "claimed", "completed");
    }

    @Test
    void another_ending_of_the_same_grant_is_refused_and_names_the_first() {
        Claim claim = made(WORK, "ann");
        claims.end(WORK, claim.fence(), Ending.completed("approved", "sha-1"));
        assertThat(claims.end(WORK, claim.fence(), Ending.completed("approved", "sha-2")))
                .isEqualTo(new Refusal.BadState(WORK, "completed as approved"));
        assertThat(release(claim)).isEqualTo(new Refusal.BadState(WORK, "completed as approved"));
    }

    @Test
    void a_release_is_replayed_even_after_somebody_else_was_granted() {
        Claim claim = granted(KEY, "ann");
        release(claim);
        Claim next = granted(KEY, "bob");
        assertThat(release(claim)).isEqualTo(ended(claim, How.RELEASED, true));
        assertThat(claims.held()).containsExactly(next);
    }

    @Test
    void endings_of_older_grants_are_stale() {
        Claim first = made(WORK, "ann");
        release(first);
        release(granted(WORK, "ann"));
        assertThat(complete(first)).isEqualTo(new Refusal.Stale(WORK, 1, 2));
        assertThat(release(first)).isEqualTo(new Refusal.Lost(WORK, null, 2));
    }

    @Test
    void a_failure_without_a_reason_leaves_what_the_next_holder_is_told() {
        Claim ann = made(WORK, "ann");
        claims.end(WORK, ann.fence(), Ending.released("the parser is done"));
        Claim bob = ((Granted) claims.claim(ClaimRequest.of(WORK, "bob"))).claim();
        claims.end(WORK, bob.fence(), Ending.failed(null, null));

        assertThat(((Granted) claims.claim(ClaimRequest.of(WORK, "cid"))).note())
                .isEqualTo("the parser is done");
    }

    @Test
    void a_note_reaches_the_next_holder_and_goes_with_completion() {
        Claim first = made(WORK, "ann");
        claims.end(WORK, first.fence(), Ending.released("tests are red"));
        assertThat(((Granted) claims.claim(ClaimRequest.of(WORK, "bob"))).note())
                .isEqualTo("tests are red");
        release(new Claim(WORK, "bob", 2, claims.now(), claims.now(), claims.now(), false, 0, null));
        assertThat(((Granted) claims.claim(ClaimRequest.of(WORK, "cid"))).note())
                .isEqualTo("tests are red");
    }

    @Test
    void a_heartbeat_confirms_a_grant_and_never_shortens_it() {
        Claim claim = granted(KEY, "ann");
        claims.claim(ClaimRequest.of(KEY, "ann").ttl(Duration.ofHours(2)).generation(1L));
        assertThat(claims.heartbeat(KEY, claim.fence()))
                .isInstanceOfSatisfying(HeartbeatOutcome.Extended.class, extended -> {
                    assertThat(extended.claim().confirmed()).isTrue();
                    assertThat(extended.claim().expiresAt())
                            .isEqualTo(claims.now().plus(Duration.ofHours(2)));
                });
        assertThat(eventTypes(KEY)).containsExactly("claimed");
    }

    @Test
    void a_holders_heartbeat_renews_what_is_confirmed_and_lists_the_rest() {
        confirmed(KEY, "ann");
        Claim unconfirmed = granted(Resource.key("other"), "ann");
        claims.advance(Duration.ofSeconds(30));
        HolderHeartbeat beat = claims.heartbeat("ann");
        assertThat(beat.extended()).singleElement().satisfies(claim -> {
            assertThat(claim.resource()).isEqualTo(KEY);
            assertThat(claim.expiresAt()).isEqualTo(claims.now().plus(MINUTE));
        });
        assertThat(beat.unconfirmed()).containsExactly(unconfirmed);
    }

    @Test
    void what_was_taken_is_reported_until_it_has_been_answered() {
        granted(KEY, "ann");
        claims.advance(MINUTE);
        granted(KEY, "bob");
        DisplacedClaim lost = new DisplacedClaim(KEY, 1, "expired");
        assertThat(claims.heartbeat("ann").lost()).containsExactly(lost);
        assertThat(claims.heartbeat("ann").lost()).containsExactly(lost);
        claims.markReported("ann", List.of(lost));
        assertThat(claims.heartbeat("ann").lost()).isEmpty();
    }

    @Test
    void the_guard_confirms_the_grant_it_lets_through() {
        Claim claim = granted(KEY, "ann");
        assertThat(claims.guard(KEY, claim.fence())).isEqualTo(Optional.empty());
        assertThat(claims.heartbeat("ann").extended()).hasSize(1);
    }

    @Test
    void everything_a_holder_has_can_be_let_go_at_once() {
        granted(KEY, "ann");
        made(WORK, "ann");
        Claim others = granted(Resource.key("other"), "bob");
        assertThat(claims.releaseAll("ann", "good night"))
                .extracting(Claim::resource)
                .containsExactly(KEY, WORK);
        assertThat(claims.held()).containsExactly(others);
        assertThat(((Granted) claims.claim(ClaimRequest.of(WORK, "bob"))).note())
                .isEqualTo("good night");
    }

    @Test
    void text_that_cannot_be_a_holder_is_refused_before_anything_is_written() {
        for (String nobody : List.of("", "  ", "unknown", "a\0b", "x".repeat(201), "\ud800")) {
            assertThatThrownBy(() -> ClaimRequest.of(KEY, nobody)).isInstanceOf(InvalidException.class);
        }
        assertThat(granted(KEY, "x".repeat(200)).holder()).hasSize(200);
        assertThat(granted(Resource.key("é漢字🙂"), "Zoë 🙂").holder()).isEqualTo("Zoë 🙂");
    }

    @Test
    void a_ttl_is_from_one_second_to_the_longest() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofDays(2))) {
            assertThatThrownBy(() -> claims.claim(ClaimRequest.of(KEY, "ann").ttl(ttl)))
                    .isInstanceOf(InvalidException.class);
        }
        assertThat(claims.held()).isEmpty();
    }

    @Test
    void a_key_that_was_dropped_never_gives_an_old_generation_again() {
        for (int i = 0; i < 3; i++) {
            release(granted(KEY, "ann"));
        }
        claims.advance(Subject.KEYS_ARE_KEPT.plusSeconds(1));
        Claim kept = granted(Resource.key("kept"), "bob");
        assertThat(claims.dropIdle()).isEqualTo(1);
        assertThat(claims.held()).containsExactly(kept);
        assertThat(granted(KEY, "ann").generation()).isEqualTo(4);
        claims.advance(MINUTE);
        assertThat(granted(Resource.key("new"), "ann").generation()).isGreaterThanOrEqualTo(4);
        assertThat(claims.create(NewResource.of(Resource.key("made")))).isTrue();
        assertThat(granted(Resource.key("made"), "ann").generation()).isGreaterThanOrEqualTo(4);
    }
}
