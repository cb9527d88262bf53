package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Call.Answer;
import dev.holdfast.claim.Call.Verb;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker accepts what can be put in order, and nothing else. */
class LinearizabilityTest {
    private static Call claim(String holder, long generation, long invoked, long returned) {
        return new Call(
                Verb.CLAIM, "key:a", holder, 0, Answer.GRANTED, null, generation, generation, 100, invoked, returned);
    }

    private static Call release(String holder, long generation, Answer answer, long invoked, long returned) {
        return new Call(Verb.RELEASE, "key:a", holder, generation, answer, null, generation, 0, 0, invoked, returned);
    }

    private static Call held(String by, long since, long invoked, long returned) {
        return new Call(Verb.CLAIM, "key:a", "x", 0, Answer.HELD, by, 0, since, 100, invoked, returned);
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
}
