package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.InvalidException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The dependencies of new steps, and how a task's steps are counted. */
class DependencyCheckTest {
    private static final NewStep BUILD = NewStep.of("build");

    private static List<NewStep> ring(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> NewStep.of("s" + i, "s" + (i + 1) % size))
                .toList();
    }

    private static void assertRefused(List<NewStep> steps, String message) {
        assertThatThrownBy(() -> DependencyCheck.check(steps, Set.of()))
                .isInstanceOf(InvalidException.class)
                .hasMessage(message);
    }

    @Test
    void steps_may_depend_on_each_other_and_on_those_that_the_task_has() {
        assertThatNoException()
                .isThrownBy(() -> DependencyCheck.check(
                        List.of(NewStep.of("publish", "build", "test", "notes"), NewStep.of("test", "build"), BUILD),
                        Set.of("notes")));
    }

    @Test
    void an_unknown_dependency_and_a_key_given_twice_are_named() {
        assertRefused(
                List.of(BUILD, NewStep.of("test", "biuld")),
                "step 'test' depends on 'biuld', which is not a step of this task");
        assertRefused(List.of(BUILD, BUILD), "step key 'build' is given twice");
    }

    @Test
    void a_cycle_is_named_without_the_steps_that_only_lead_to_it() {
        assertRefused(
                List.of(NewStep.of("after", "b"), NewStep.of("a", "b", "build"), NewStep.of("b", "a"), BUILD),
                "these steps form a dependency cycle: b, a");
        assertRefused(List.of(NewStep.of("a", "a")), "these steps form a dependency cycle: a");
    }

    @Test
    void of_a_long_cycle_ten_steps_are_named() {
        assertRefused(ring(10), "these steps form a dependency cycle: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9");
        assertRefused(ring(11), "these steps form a dependency cycle: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, ...");
    }

    @Test
    void every_step_is_counted_in_one_state() {
        assertThat(new Counters(1, 20, 300, 4_000, 50_000, 600_000, 7).total()).isEqualTo(654_321);
        assertThat(new Counters(0, 0, 1, 1, 1, 1, 7).settled()).isTrue();
        assertThat(new Counters(1, 0, 0, 0, 0, 0, 7).settled()).isFalse();
        assertThat(new Counters(0, 1, 0, 0, 0, 0, 7).settled()).isFalse();
    }
}
