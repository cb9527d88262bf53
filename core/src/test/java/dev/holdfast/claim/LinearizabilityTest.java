package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.claim.Call.Verb;
import dev.holdfast.claim.Subject.DomainEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checker accepts histories that can be put in order, and no others. */
class LinearizabilityTest {
    private static Call claim(String holder, long generation, long invoked, long returned) {
        return new Call(
                Verb.CLAIM,
                "key:a",
                holder,
                0,
                Answer.GRANTED,
                null,
                generation,
                generation,
                100,
                invoked,
                returned,
                0);
    }

    private static Call release(String holder, long generation, Answer answer, long invoked, long returned) {
        return new Call(
                Verb.RELEASE, "key:a", holder, generation, answer, null, generation, 0, 0, invoked, returned, 0);
    }

    private static Call held(String by, long since, long invoked, long returned) {
        return new Call(Verb.CLAIM, "key:a", "x", 0, Answer.HELD, by, 0, since, 100, invoked, returned, 0);
    }

    @Test
    void calls_one_after_the_other_are_in_order() {
        assertThat(Linearizability.broken(List.of(
                        claim("a", 1, 1, 2),
                        held("a", 1, 3, 4),
                        release("a", 1, Answer.ENDED, 5, 6),
                        claim("b", 2, 7, 8))))
                .isEmpty();
    }

    @Test
    void overlapping_calls_may_take_effect_in_either_order() {
        assertThat(Linearizability.broken(
                        List.of(claim("b", 2, 1, 20), release("a", 1, Answer.ENDED, 2, 19), claim("a", 1, 3, 18))))
                .isEmpty();
    }

    @Test
    void two_grants_without_an_end_between_them_are_not_in_order() {
        assertThat(Linearizability.broken(List.of(claim("a", 1, 1, 2), claim("b", 2, 3, 4))))
                .isPresent();
    }

    @Test
    void a_generation_given_twice_is_not_in_order() {
        assertThat(Linearizability.broken(
                        List.of(claim("a", 1, 1, 2), release("a", 1, Answer.ENDED, 3, 4), claim("b", 1, 5, 6))))
                .isPresent();
    }

    @Test
    void a_grant_cannot_take_effect_after_it_was_answered() {
        assertThat(Linearizability.broken(List.of(claim("b", 2, 1, 2), claim("a", 1, 3, 4))))
                .isPresent();
    }

    @Test
    void a_refusal_that_names_somebody_who_has_let_go_is_not_in_order() {
        assertThat(Linearizability.broken(
                        List.of(claim("a", 1, 1, 2), release("a", 1, Answer.ENDED, 3, 4), held("a", 1, 5, 6))))
                .isPresent();
    }

    @Test
    void an_ending_accepted_twice_is_not_in_order() {
        assertThat(Linearizability.broken(List.of(
                        claim("a", 1, 1, 2), release("a", 1, Answer.ENDED, 3, 4), release("a", 1, Answer.ENDED, 5, 6))))
                .isPresent();
        assertThat(Linearizability.broken(List.of(
                        claim("a", 1, 1, 2),
                        release("a", 1, Answer.ENDED, 3, 4),
                        release("a", 1, Answer.REPLAYED, 5, 6))))
                .isEmpty();
    }

    @Test
    void a_call_without_an_answer_may_have_happened_or_not() {
        Call unanswered = release("a", 1, Answer.UNKNOWN, 3, 4);
        assertThat(Linearizability.broken(List.of(claim("a", 1, 1, 2), unanswered, claim("b", 2, 9, 10))))
                .isEmpty();
        assertThat(Linearizability.broken(List.of(claim("a", 1, 1, 2), unanswered, held("a", 1, 9, 10))))
                .isEmpty();
    }

    private static Call lost(String to, long generation, long invoked, long returned) {
        return new Call(Verb.HEARTBEAT, "key:a", "x", 9, Answer.LOST, to, generation, 0, 0, invoked, returned, 0);
    }

    private static Call claimRunTwice(Answer answer, String by, long generation, long until) {
        return new Call(Verb.CLAIM, "key:a", "a", 0, answer, by, generation, 50, until, 1, 20, 1);
    }

    private static final DomainEvent FIRST_GRANT =
            new DomainEvent(Instant.EPOCH.plusNanos(50_000), "claimed", Resource.key("a"), "a", 1L);

    private static Optional<String> broken(List<DomainEvent> events, Call... calls) {
        List<Call> all = List.of(calls);
        return Linearizability.broken(all, new FirstRuns(all, events)::of);
    }

    @Test
    void a_grant_whose_answer_was_lost_may_be_over_before_its_caller_hears_of_anothers() {
        Call bobs = new Call(Verb.CLAIM, "key:a", "b", 0, Answer.TAKEN_OVER, "a", 2, 80, 120, 5, 6, 0);
        Call refused = new Call(Verb.CLAIM, "key:a", "a", 0, Answer.HELD, "b", 0, 80, 120, 1, 20, 1);
        assertThat(broken(List.of(FIRST_GRANT), lost("a", 1, 3, 4), bobs, refused))
                .isEmpty();
        assertThat(broken(List.of(), lost("a", 1, 3, 4), bobs, refused))
                .as("no event tells of the grant")
                .isPresent();
    }

    @Test
    void a_grant_that_its_second_run_extends_is_seen_with_its_first_expiry_until_then() {
        Call seen = new Call(Verb.CLAIM, "key:a", "b", 0, Answer.HELD, "a", 0, 50, 90, 3, 4, 0);
        assertThat(broken(List.of(FIRST_GRANT), seen, claimRunTwice(Answer.GRANTED, "", 1, 150)))
                .isEmpty();
        Call afterwards = new Call(Verb.CLAIM, "key:a", "b", 0, Answer.HELD, "a", 0, 50, 90, 30, 40, 0);
        assertThat(broken(List.of(FIRST_GRANT), claimRunTwice(Answer.GRANTED, "", 1, 150), afterwards))
                .as("by then the longer lease was told")
                .isPresent();
    }

    @Test
    void a_first_run_takes_nothing_from_a_holder_whose_lease_runs() {
        Call bobs = new Call(Verb.CLAIM, "key:a", "b", 0, Answer.GRANTED, null, 1, 10, 90, 1, 2, 0);
        DomainEvent grant = new DomainEvent(Instant.EPOCH.plusNanos(50_000), "taken_over", Resource.key("a"), "a", 2L);
        Call twice = new Call(Verb.CLAIM, "key:a", "a", 0, Answer.GRANTED, null, 2, 50, 150, 3, 20, 1);
        assertThat(broken(List.of(grant), bobs, twice)).isPresent();
    }
}
