package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every claim engine promises about claiming the next thing, sweeping, attempts and soft claims. */
abstract class QueueContract extends ClaimsContract {
    private static final Resource OTHER = Resource.parse("work:2");
    private static final NextRequest NEXT = NextRequest.of(Kind.WORK, "ann").ttl(MINUTE);

    private void make(String id, String queue, int priority, String... labels) {
        claims.create(NewResource.of(Resource.parse("work:" + id))
                .queue(queue)
                .priority(priority)
                .labels(Set.of(labels)));
    }

    private String nextFor(String holder, Filter filter) {
        return switch (claims.claimNext(
                NextRequest.of(Kind.WORK, holder).filter(filter).ttl(MINUTE))) {
            case Granted granted -> granted.claim().resource().id();
            case AlreadyHeld already -> "again " + already.claim().resource().id();
            case Nothing _ -> "nothing";
            case Refusal refusal -> refusal.code().toString();
        };
    }

    @Test
    void the_most_urgent_comes_first_then_the_oldest() {
        make("old", "", 2);
        make("new", "", 2);
        make("urgent", "", 0);
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("urgent");
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("old");
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("new");
        assertThat(nextFor("dan", Filter.ANY)).isEqualTo("nothing");
    }

    @Test
    void a_filter_picks_by_queue_and_by_all_labels() {
        make("1", "red", 2, "java");
        make("2", "blue", 2, "java", "docs");
        make("3", "blue", 1, "java");
        assertThat(nextFor("ann", new Filter(null, Set.of("java", "docs")))).isEqualTo("2");
        assertThat(nextFor("bob", Filter.queue("blue"))).isEqualTo("3");
        assertThat(nextFor("cid", Filter.queue("green"))).isEqualTo("nothing");
        assertThat(nextFor("cid", new Filter("red", Set.of("docs")))).isEqualTo("nothing");
        assertThat(nextFor("cid", new Filter("red", Set.of("java")))).isEqualTo("1");
    }

    @Test
    void a_filter_passes_over_what_carries_a_label_that_is_not_wanted() {
        make("1", "red", 1, "java");
        make("2", "red", 2, "docs");
        make("3", "blue", 3);
        Filter noJava = new Filter(null, Set.of(), Set.of("java", "go"));
        assertThat(nextFor("ann", noJava)).isEqualTo("2");
        assertThat(nextFor("bob", noJava)).isEqualTo("3");
        assertThat(nextFor("cid", noJava)).isEqualTo("nothing");
        assertThat(nextFor("cid", new Filter("red", Set.of("java"), Set.of("java"))))
                .isEqualTo("nothing");
        assertThat(nextFor("cid", new Filter("red", Set.of("java"), Set.of("docs"))))
                .isEqualTo("1");
    }

    @Test
    void a_holder_is_first_given_its_own_grant_that_it_has_not_confirmed() {
        make("1", "", 2);
        make("2", "", 2);
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("1");
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("again 1");
        claims.heartbeat(WORK, Fence.of("ann", 1));
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("2");
    }

    @Test
    void an_unconfirmed_grant_of_another_queue_is_not_given_again() {
        make("1", "red", 2);
        make("2", "blue", 2);
        assertThat(nextFor("ann", Filter.queue("red"))).isEqualTo("1");
        assertThat(nextFor("ann", Filter.queue("blue"))).isEqualTo("2");
    }

    @Test
    void with_a_request_id_each_request_has_its_own_grant() {
        make("1", "", 2);
        make("2", "", 2);
        assertThat(claims.claimNext(NEXT.requestId("a"))).isInstanceOf(Granted.class);
        assertThat(claims.claimNext(NEXT.requestId("b")))
                .isInstanceOfSatisfying(
                        Granted.class,
                        granted -> assertThat(granted.claim().resource()).isEqualTo(OTHER));
        assertThat(claims.claimNext(NEXT.requestId("a")))
                .isInstanceOfSatisfying(
                        AlreadyHeld.class,
                        again -> assertThat(again.claim().resource()).isEqualTo(WORK));
    }

    @Test
    void a_repeat_finds_its_grant_even_after_it_ran_out() {
        make("1", "", 2);
        claims.claimNext(NEXT.requestId("a"));
        make("2", "", 0);
        claims.advance(MINUTE);
        assertThat(claims.claimNext(NEXT.requestId("a"))).isInstanceOfSatisfying(AlreadyHeld.class, again -> {
            assertThat(again.claim().resource()).isEqualTo(WORK);
            assertThat(again.claim().generation()).isEqualTo(1);
        });
    }

    @Test
    void what_is_not_due_is_not_offered_until_it_is() {
        claims.create(NewResource.of(WORK).notBefore(claims.now().plus(MINUTE)));
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("nothing");
        claims.advance(MINUTE);
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("1");
    }

    @Test
    void when_nothing_is_ready_the_best_that_ran_out_is_taken_over() {
        make("1", "", 2);
        make("2", "", 1);
        nextFor("ann", Filter.ANY);
        claims.heartbeat(OTHER, Fence.of("ann", 1));
        nextFor("ann", Filter.ANY);
        claims.advance(MINUTE);
        assertThat(claims.claimNext(NextRequest.of(Kind.WORK, "bob")))
                .isInstanceOfSatisfying(Granted.class, granted -> {
                    assertThat(granted.claim().resource()).isEqualTo(OTHER);
                    assertThat(granted.displaced()).isEqualTo(new Displaced("ann", 1));
                });
    }

    @Test
    void what_expires_right_after_somebody_looked_in_vain_is_taken_over_at_once() {
        make("1", "", 2);
        make("2", "", 2);
        nextFor("ann", Filter.ANY);
        claims.advance(MINUTE.minusNanos(1_000));
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("2");
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("nothing");
        claims.advance(Duration.ofNanos(1_000));
        assertThat(nextFor("cid", Filter.queue("other"))).isEqualTo("nothing");
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("1");
    }

    @Test
    void a_grant_made_after_somebody_looked_in_vain_is_taken_over_when_it_expires() {
        make("1", "", 2);
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("1");
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("nothing");
        make("2", "", 2);
        claims.claimNext(NextRequest.of(Kind.WORK, "bob").ttl(Leases.SHORTEST));
        claims.advance(Leases.SHORTEST);
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("2");
    }

    @Test
    void what_is_ready_comes_before_what_ran_out() {
        make("1", "", 0);
        nextFor("ann", Filter.ANY);
        make("2", "", 4);
        claims.advance(MINUTE);
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("2");
    }

    @Test
    void a_thing_released_with_its_status_kept_is_offered_again_once_it_was_claimed_by_name() {
        Claim claim = made(WORK, "ann");
        claims.end(WORK, claim.fence(), Ending.released(null, true));
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("nothing");
        release(granted(WORK, "bob"));
        assertThat(nextFor("cid", Filter.ANY)).isEqualTo("1");
    }

    @Test
    void claim_next_is_for_things_that_are_made() {
        assertThatThrownBy(() -> NextRequest.of(Kind.KEY, "ann")).isInstanceOf(InvalidException.class);
    }

    @Test
    void completing_can_bring_the_next_thing() {
        make("1", "", 2);
        make("2", "", 2);
        Claim first = granted(WORK, "ann");
        EndedAndNext both = claims.completeAndNext(WORK, first.fence(), Ending.completed("done"), NEXT);
        assertThat(both.ended()).isEqualTo(ended(first, Ending.How.COMPLETED, false));
        assertThat(both.next())
                .isInstanceOfSatisfying(
                        Granted.class,
                        next -> assertThat(next.claim().resource()).isEqualTo(OTHER));
    }

    @Test
    void what_is_ready_again_can_be_completed_by_nobody_and_is_not_given_as_the_next_for_it() {
        make("1", "", 2);
        Claim let = granted(WORK, "ann");
        claims.end(WORK, let.fence(), Ending.released(null));
        EndedAndNext both = claims.completeAndNext(WORK, let.fence(), Ending.completed("done"), NEXT);
        assertThat(both.ended()).isInstanceOf(Refusal.class);
        assertThat(both.next()).isNull();
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("1");
    }

    @Test
    void a_refused_completion_brings_nothing() {
        make("1", "", 2);
        make("2", "", 2);
        granted(WORK, "ann");
        EndedAndNext both = claims.completeAndNext(WORK, Fence.of("ann", 9), Ending.completed("done"), NEXT);
        assertThat(both).isEqualTo(new EndedAndNext(new Refusal.Stale(WORK, 9, 1), null));
        assertThat(claims.held()).hasSize(1);
    }

    @Test
    void a_refused_completion_brings_nothing_even_when_the_best_candidate_has_run_out() {
        make("1", "", 2);
        make("2", "", 1);
        claims.claim(ClaimRequest.of(OTHER, "bob").ttl(Duration.ofSeconds(1)));
        granted(WORK, "ann");
        claims.advance(Duration.ofSeconds(10));
        EndedAndNext both = claims.completeAndNext(WORK, Fence.of("ann", 9), Ending.completed("done"), NEXT);
        assertThat(both).isEqualTo(new EndedAndNext(new Refusal.Stale(WORK, 9, 1), null));
        assertThat(claims.held()).hasSize(2);
    }

    @Test
    void a_replayed_completion_brings_the_same_next_thing_again() {
        make("1", "", 2);
        make("2", "", 2);
        make("3", "", 2);
        Claim first = granted(WORK, "ann");
        NextRequest next = NEXT.requestId("after 1");
        claims.completeAndNext(WORK, first.fence(), Ending.completed("done"), next);
        EndedAndNext again = claims.completeAndNext(WORK, first.fence(), Ending.completed("done"), next);
        assertThat(again.ended()).isEqualTo(ended(first, Ending.How.COMPLETED, true));
        assertThat(again.next())
                .isInstanceOfSatisfying(
                        AlreadyHeld.class,
                        held -> assertThat(held.claim().resource()).isEqualTo(OTHER));
        assertThat(claims.held()).hasSize(1);
    }

    @Test
    void the_last_completion_brings_nothing_more() {
        Claim only = made(WORK, "ann");
        assertThat(claims.completeAndNext(WORK, only.fence(), Ending.completed("done"), NEXT))
                .isEqualTo(new EndedAndNext(ended(only, Ending.How.COMPLETED, false), new Nothing()));
    }

    @Test
    void a_sweep_takes_back_what_ran_out_and_nothing_else() {
        granted(KEY, "ann");
        claims.advance(Duration.ofSeconds(30));
        Claim alive = granted(Resource.key("alive"), "ann");
        claims.advance(Duration.ofSeconds(30));
        assertThat(claims.sweep(10)).containsExactly(KEY);
        assertThat(claims.sweep(10)).isEmpty();
        assertThat(claims.held()).containsExactly(alive);
        assertThat(claims.heartbeat("ann").lost()).containsExactly(new DisplacedClaim(KEY, 1, "expired"));
        assertThat(granted(KEY, "bob").generation()).isEqualTo(3);
    }

    @Test
    void a_sweep_is_bounded() {
        for (int i = 0; i < 5; i++) {
            granted(Resource.key("k" + i), "ann");
        }
        claims.advance(MINUTE);
        assertThat(claims.sweep(3)).hasSize(3);
        assertThat(claims.sweep(3)).hasSize(2);
    }

    @Test
    void failures_count_and_too_many_park_the_thing() {
        claims.create(NewResource.of(WORK).maxAttempts(2));
        assertThat(fail(granted(WORK, "ann"))).isEqualTo(ended(WORK, 1, false));
        Claim second = granted(WORK, "ann");
        assertThat(second.attempts()).isEqualTo(1);
        assertThat(fail(second)).isEqualTo(ended(WORK, 2, true));
        assertThat(claims.claim(ClaimRequest.of(WORK, "bob"))).isEqualTo(new Refusal.NotClaimable(WORK, "blocked"));
        assertThat(eventTypes(WORK)).endsWith("parked");
        claims.unblock(WORK);
        assertThat(granted(WORK, "bob").attempts()).isZero();
    }

    private static EndOutcome.Ended ended(Resource resource, long generation, boolean parked) {
        return new EndOutcome.Ended(resource, generation, Ending.How.FAILED, false, parked);
    }

    @Test
    void a_failure_may_put_the_thing_off() {
        Claim claim = made(WORK, "ann");
        claims.end(WORK, claim.fence(), Ending.failed("broke", MINUTE));
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("nothing");
        claims.advance(MINUTE);
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("1");
    }

    @Test
    void expiry_counts_only_if_the_grant_was_confirmed() {
        claims.create(NewResource.of(WORK).maxAttempts(1));
        granted(WORK, "ann");
        claims.advance(MINUTE);
        assertThat(claims.sweep(10)).containsExactly(WORK);
        confirmed(WORK, "ann");
        claims.advance(MINUTE);
        assertThat(claims.claim(ClaimRequest.of(WORK, "bob"))).isEqualTo(new Refusal.NotClaimable(WORK, "blocked"));
        assertThat(claims.heartbeat("ann").lost()).hasSize(2);
    }

    @Test
    void polite_releases_and_reclaims_do_not_count_and_completion_resets() {
        claims.create(NewResource.of(WORK).maxAttempts(5));
        fail(granted(WORK, "ann"));
        release(granted(WORK, "ann"));
        confirmed(WORK, "ann");
        claims.reclaim(WORK, 3, "operator");
        assertThat(granted(WORK, "ann").attempts()).isEqualTo(1);
    }

    @Test
    void a_takeover_passes_over_what_it_parks() {
        claims.create(NewResource.of(WORK).maxAttempts(1).priority(0));
        claims.create(NewResource.of(OTHER).priority(4));
        confirmed(WORK, "ann");
        confirmed(OTHER, "ann");
        claims.advance(MINUTE);
        assertThat(nextFor("bob", Filter.ANY)).isEqualTo("2");
        assertThat(eventTypes(WORK)).endsWith("parked");
    }

    private ClaimOutcome softly(Resource resource, String holder, Claim outer) {
        return claims.claim(
                ClaimRequest.of(resource, holder).under(new OuterClaim(outer.resource(), outer.generation())));
    }

    @Test
    void a_soft_claim_has_the_outer_claims_generation_and_expiry() {
        Claim outer = made(WORK, "ann");
        Claim soft = ((Granted) softly(KEY, "ann", outer)).claim();
        assertThat(soft.generation()).isEqualTo(outer.generation());
        assertThat(soft.expiresAt()).isEqualTo(outer.expiresAt());
        assertThat(soft.under()).isEqualTo(new OuterClaim(WORK, 1));
        assertThat(softly(KEY, "ann", outer)).isInstanceOf(AlreadyHeld.class);
        assertThat(claims.held()).hasSize(2);
        assertThat(claims.guard(KEY, soft.fence())).isEmpty();
    }

    @Test
    void a_soft_claim_needs_the_current_grant_of_its_outer_resource() {
        Claim outer = made(WORK, "ann");
        assertThat(softly(KEY, "bob", outer)).isEqualTo(new Refusal.WrongHolder(WORK, "bob", "ann"));
        release(outer);
        assertThat(softly(KEY, "ann", outer)).isEqualTo(new Refusal.NotHeld(WORK));
        granted(WORK, "ann");
        assertThat(softly(KEY, "ann", outer)).isEqualTo(new Refusal.Stale(WORK, 1, 2));
        assertThat(claims.claim(ClaimRequest.of(KEY, "ann").under(new OuterClaim(OTHER, 1))))
                .isEqualTo(new Refusal.NotFound(OTHER));
    }

    @Test
    void soft_and_hard_claims_exclude_each_other() {
        Claim outer = made(WORK, "ann");
        Claim hard = granted(Resource.key("hard"), "bob");
        assertThat(softly(hard.resource(), "ann", outer)).isInstanceOf(Refusal.Held.class);
        softly(KEY, "ann", outer);
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob")))
                .isEqualTo(
                        new Refusal.Held(KEY, "ann", claims.now(), outer.expiresAt(), MINUTE, new OuterClaim(WORK, 1)));
    }

    @Test
    void a_soft_claim_ends_with_its_outer_grant() {
        Claim outer = made(WORK, "ann");
        Claim soft = ((Granted) softly(KEY, "ann", outer)).claim();
        complete(outer);
        assertThat(claims.held()).isEmpty();
        assertThat(claims.guard(KEY, soft.fence())).isPresent();
        assertThat(claims.heartbeat(KEY, soft.fence())).isEqualTo(new Refusal.Lost(KEY, null, 0));
        assertThat(granted(KEY, "bob").generation()).isEqualTo(1);
    }

    @Test
    void a_soft_claim_can_be_taken_when_its_outer_lease_ran_out_and_is_swept_with_it() {
        Claim outer = made(WORK, "ann");
        softly(KEY, "ann", outer);
        softly(Resource.key("second"), "ann", outer);
        claims.advance(MINUTE);
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob"))).isInstanceOf(Granted.class);
        assertThat(claims.sweep(10)).containsExactly(WORK, Resource.key("second"));
    }

    @Test
    void a_soft_claim_does_not_come_back_with_a_later_soft_hold_of_its_outer_resource() {
        Claim outer = made(WORK, "ann");
        softly(KEY, "ann", outer);
        release(outer);
        claims.create(NewResource.of(OTHER));
        softly(WORK, "ann", granted(OTHER, "ann"));
        assertThat(claims.claim(ClaimRequest.of(KEY, "bob"))).isInstanceOf(Granted.class);
    }

    @Test
    void a_soft_claim_can_be_released_by_itself() {
        Claim outer = made(WORK, "ann");
        Claim soft = ((Granted) softly(KEY, "ann", outer)).claim();
        assertThat(release(soft)).isEqualTo(ended(soft, Ending.How.RELEASED, false));
        assertThat(claims.held()).containsExactly(outer);
    }

    @Test
    void nothing_is_claimed_under_itself_or_under_a_soft_claim() {
        Claim outer = made(WORK, "ann");
        assertThatThrownBy(() -> softly(WORK, "ann", outer)).isInstanceOf(InvalidException.class);
        Claim soft = ((Granted) softly(KEY, "ann", outer)).claim();
        assertThat(softly(Resource.key("third"), "ann", soft)).isInstanceOf(Refusal.NotClaimable.class);
    }

    @Test
    void what_came_due_while_it_was_blocked_takes_its_place_as_soon_as_it_is_unblocked() {
        make("ordinary", "", 2);
        Resource urgent = Resource.parse("work:urgent");
        claims.create(NewResource.of(urgent)
                .priority(0)
                .blocked(true)
                .notBefore(claims.now().plusSeconds(3)));
        claims.advance(MINUTE);
        claims.unblock(urgent);
        assertThat(nextFor("ann", Filter.ANY)).isEqualTo("urgent");
    }
}
