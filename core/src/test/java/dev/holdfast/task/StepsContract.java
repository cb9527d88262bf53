package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.RefusedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What agents do with steps, and what becomes of those that wait for them. */
abstract class StepsContract extends OnAStore {
    StepsContract(Engine engine) {
        super(engine);
    }

    private Task diamond(Policy policy) {
        return tasks.create(NewTask.of(
                        "build",
                        NewStep.of("fetch"),
                        NewStep.of("left", "fetch"),
                        NewStep.of("right", "fetch"),
                        NewStep.of("join", "left", "right"))
                .policy(policy)
                .finalizer(Finalizer.EXTERNAL));
    }

    private Steps.ClaimedStep next(String agent) {
        return tasks.steps().claimNext(agent, null, null, null, Duration.ZERO).orElseThrow();
    }

    private boolean nothingReady() {
        return tasks.steps()
                .claimNext("looking", null, null, null, Duration.ZERO)
                .isEmpty();
    }

    private Steps.Ended complete(Steps.ClaimedStep given, @Nullable String result) {
        return tasks.steps().complete(given.step().id(), given.claim().fence(), result);
    }

    private Steps.Ended fail(Steps.ClaimedStep given, boolean retry) {
        return tasks.steps().fail(given.step().id(), given.claim().fence(), "broken", retry);
    }

    private List<StepState> states(Task task) {
        return tasks.steps(task.id(), 0, 100).stream().map(Step::state).toList();
    }

    private Finalizations.Finished finish(Task task) {
        return finish(task, tasks.finalizations().claim(task.id(), "p", null, null));
    }

    private Finalizations.Finished finish(Task task, Finalizations.Claimed claimed) {
        return tasks.finalizations()
                .finish(
                        task.id(),
                        "p",
                        Objects.requireNonNull(claimed.claimGeneration()),
                        claimed.requestedSeq(),
                        null);
    }

    private void sweep() {
        while (!claims.sweep(100).isEmpty()) {
            // once more
        }
    }

    private long count(String what) {
        return store.store()
                .read(transaction -> transaction
                        .first(Sql.of("SELECT count(*) AS n FROM " + what), _ -> {}, row -> row.number("n"))
                        .orElseThrow());
    }

    @Test
    void what_waits_is_ready_when_all_it_waits_for_has_succeeded_and_is_handed_the_results() {
        Task task = diamond(Policy.ALL_SUCCEEDED);
        assertThat(task.executionStatus()).isEqualTo("has_ready_steps");
        complete(next("a"), "{\"commit\":\"abc\"}");
        Steps.ClaimedStep left = next("a");
        Steps.ClaimedStep right = next("b");
        assertThat(left.dependencies()).extracting(Step::result).containsExactly("{\"commit\":\"abc\"}");
        assertThat(nothingReady()).isTrue();
        assertThat(tasks.get(task.id()).executionStatus()).isEqualTo("processing");
        complete(left, "1");
        assertThat(nothingReady()).isTrue();
        complete(right, "2");
        Steps.ClaimedStep join = next("c");
        assertThat(join.dependencies())
                .extracting(Step::key, Step::result)
                .containsExactly(tuple("left", "1"), tuple("right", "2"));
        assertThat(due).isEmpty();
        assertThat(complete(join, null).task().executionStatus()).isEqualTo("all_complete");
        assertThat(due).extracting(Task::id).containsExactly(task.id());
        assertThat(finish(task).finished()).isTrue();
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.COMPLETE);
        assertThat(count("outbox")).isEqualTo(1);
        assertThat(count("events WHERE type = 'task_finished'")).isEqualTo(1);
    }

    @Test
    void who_completes_a_step_is_given_the_next_one_also_what_it_has_just_freed() {
        diamond(Policy.ALL_SUCCEEDED);
        Steps.ClaimedStep fetch = next("a");
        Steps.EndedAndNext left = completeAndNext(fetch);
        assertThat(left.next().orElseThrow().step().key()).isEqualTo("left");
        assertThat(completeAndNext(fetch).ended().replayed()).isTrue();
        assertThat(completeAndNext(fetch).next().orElseThrow().claim().fence()) // the first answer may have been lost
                .isEqualTo(left.next().orElseThrow().claim().fence());
        Steps.EndedAndNext right = completeAndNext(left.next().orElseThrow());
        Steps.EndedAndNext join = completeAndNext(right.next().orElseThrow());
        assertThat(join.next().orElseThrow().dependencies())
                .extracting(Step::key)
                .containsExactly("left", "right");
        assertThat(completeAndNext(join.next().orElseThrow()).next()).isEmpty();
        assertThat(due).hasSize(1);
        assertThat(completeAndNext(join.next().orElseThrow()).next()).isEmpty();
    }

    private Steps.EndedAndNext completeAndNext(Steps.ClaimedStep given) {
        return tasks.steps()
                .completeAndNext(
                        given.step().id(),
                        given.claim().fence(),
                        null,
                        given.claim().holder(),
                        null);
    }

    @Test
    void completions_that_come_together_are_each_answered_for_themselves() throws Exception {
        NewStep[] many = new NewStep[121];
        for (int i = 0; i < 120; i++) {
            many[i] = NewStep.of("s" + i);
        }
        many[120] =
                NewStep.of("sum", IntStream.range(0, 120).mapToObj(i -> "s" + i).toArray(String[]::new));
        Task task = tasks.create(NewTask.of("many", many).finalizer(Finalizer.EXTERNAL));
        Task stopped = tasks.create(NewTask.of("stopped", NewStep.of("s")));
        List<Steps.ClaimedStep> given = new ArrayList<>();
        for (int i = 0; i < 121; i++) {
            given.add(next("a" + i));
        }
        tasks.cancel(stopped.id(), "enough", "ann");
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            List<Future<String>> answers = new ArrayList<>();
            for (Steps.ClaimedStep one : given) {
                answers.add(threads.submit(
                        () -> said(one.step().id(), new Fence(one.claim().holder(), 7L))));
                answers.add(
                        threads.submit(() -> said(one.step().id(), one.claim().fence())));
            }
            answers.add(threads.submit(() -> said("nobody.s", new Fence("a", 1L))));
            Map<String, Integer> counted = new TreeMap<>();
            for (Future<String> answer : answers) {
                counted.merge(answer.get(), 1, Integer::sum);
            }
            assertThat(counted).isEqualTo(Map.of("bad_state", 1, "lost", 121, "not_found", 1, "succeeded", 120));
        }
        assertThat(tasks.get(task.id()).counters().succeeded()).isEqualTo(120);
        assertThat(due).isEmpty();
        assertThat(complete(next("last"), null).step().key()).isEqualTo("sum");
        assertThat(due).hasSize(1);
        assertThat(count("events WHERE type = 'step_succeeded'")).isEqualTo(121);
    }

    @Test
    void a_crowd_before_the_last_few_is_given_one_each_or_told_that_there_is_none() throws Exception {
        NewStep[] few = new NewStep[12];
        for (int i = 0; i < few.length; i++) {
            few[i] = NewStep.of("s" + i);
        }
        tasks.create(NewTask.of("few", few));
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            List<Future<Boolean>> given = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                String agent = "a" + i;
                given.add(threads.submit(() -> tasks.steps()
                        .claimNext(agent, null, null, null, Duration.ZERO)
                        .isPresent()));
            }
            int granted = 0;
            for (Future<Boolean> one : given) {
                granted += one.get() ? 1 : 0;
            }
            assertThat(granted).isEqualTo(few.length);
        }
    }

    private String said(String stepId, Fence fence) {
        try {
            return tasks.steps().complete(stepId, fence, "1").step().state().toString();
        } catch (RefusedException refused) {
            return refused.code().toString();
        }
    }

    @Test
    void those_who_wait_for_a_failed_step_are_skipped_to_the_last() {
        Task task = diamond(Policy.ALL_SUCCEEDED);
        complete(next("a"), null);
        Steps.ClaimedStep left = next("a");
        fail(left, false);
        assertThat(states(task))
                .containsExactly(StepState.SUCCEEDED, StepState.FAILED, StepState.READY, StepState.SKIPPED);
        assertThat(due).isEmpty();
        assertThat(complete(next("a"), null).task().executionStatus()).isEqualTo("blocked_by_failures");
        assertThat(due).hasSize(1);
        assertThat(tasks.get(task.id()).counters()).isEqualTo(new Counters(0, 0, 2, 1, 1, 0, 4));
        finish(task);
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    void a_long_chain_is_skipped_as_a_whole() {
        NewStep[] chain = new NewStep[2_000];
        chain[0] = NewStep.of("s0");
        for (int i = 1; i < chain.length; i++) {
            chain[i] = NewStep.of("s" + i, "s" + (i - 1));
        }
        Task task = tasks.create(NewTask.of("chain", chain));
        fail(next("a"), false);
        assertThat(tasks.get(task.id()).counters().skipped()).isEqualTo(1_999);
    }

    @Test
    void all_settled_ends_as_complete_whatever_became_of_the_steps() {
        Task task = diamond(Policy.ALL_SETTLED);
        fail(next("a"), false);
        assertThat(finish(task).finished()).isTrue();
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.COMPLETE);
    }

    @Test
    void fail_fast_ends_at_the_first_failure_and_what_is_left_is_cancelled() {
        Task task = diamond(Policy.FAIL_FAST);
        complete(next("a"), null);
        Steps.ClaimedStep left = next("a");
        Steps.ClaimedStep right = next("b");
        fail(left, false);
        assertThat(due).hasSize(1);
        assertThat(finish(task).finished()).isTrue();
        assertThatThrownBy(() -> complete(right, null))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).hasToString("bad_state"));
        while (tasks.settle()) {
            // once more
        }
        assertThat(states(task))
                .containsExactly(StepState.SUCCEEDED, StepState.FAILED, StepState.CANCELLED, StepState.SKIPPED);
        assertThatThrownBy(() -> complete(right, null))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).hasToString("lost"));
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    void a_step_that_failed_is_tried_again_after_a_while_and_so_often() {
        Task task = tasks.create(NewTask.of("retry", new NewStep("s", List.of(), null, 3)));
        Steps.ClaimedStep first = next("a");
        assertThat(fail(first, true).step().state()).isEqualTo(StepState.RETRY_WAIT);
        assertThat(nothingReady()).isTrue();
        assertThat(tasks.get(task.id()).executionStatus()).isEqualTo("processing");
        store.settableClock().advance(Duration.ofMillis(1_200));
        Steps.ClaimedStep second = tasks.steps().claim(task.id() + ".s", "b", null, null);
        assertThat(second.step().attempts()).isEqualTo(1);
        assertThat(fail(second, true).step().notBefore())
                .isBetween(
                        second.claim().claimedAt().plusMillis(2_000),
                        second.claim().claimedAt().plusMillis(2_400));
        store.settableClock().advance(Duration.ofMillis(2_400));
        Steps.Ended last = fail(tasks.steps().claim(task.id() + ".s", "c", null, null), true);
        assertThat(last.step().state()).isEqualTo(StepState.FAILED);
        assertThat(last.step().error()).isEqualTo("broken");
        assertThat(due).hasSize(1);
    }

    @Test
    void the_attempts_of_a_step_that_has_ended_stay_known() {
        Task task = tasks.create(
                NewTask.of("attempts", new NewStep("s", List.of(), null, 2), NewStep.of("t"), NewStep.of("u")));
        fail(tasks.steps().claim(task.id() + ".s", "a", null, null), true);
        store.settableClock().advance(Duration.ofMinutes(1));
        fail(tasks.steps().claim(task.id() + ".s", "a", null, null), true);
        fail(tasks.steps().claim(task.id() + ".t", "a", null, null), true);
        store.settableClock().advance(Duration.ofMinutes(1));
        complete(tasks.steps().claim(task.id() + ".t", "a", null, null), null);
        fail(tasks.steps().claim(task.id() + ".u", "a", null, null), false);
        assertThat(tasks.steps(task.id(), 0, 10))
                .extracting(Step::key, Step::attempts)
                .containsExactly(tuple("s", 2L), tuple("t", 1L), tuple("u", 1L));
    }

    @Test
    void a_lost_answer_is_given_again_and_counts_nothing_twice() {
        Task task = tasks.create(NewTask.of("replay", new NewStep("s", List.of(), null, 2), NewStep.of("u")));
        Steps.ClaimedStep first = tasks.steps().claim(task.id() + ".s", "a", null, "r1");
        Steps.ClaimedStep again = tasks.steps().claim(task.id() + ".s", "a", null, "r1");
        assertThat(again.claim().generation()).isEqualTo(first.claim().generation());
        assertThat(first.repeated()).isFalse();
        assertThat(again.repeated()).isTrue();
        assertThat(fail(first, true).replayed()).isFalse();
        assertThat(fail(first, true).replayed()).isTrue();
        assertThat(fail(first, true).step().attempts()).isEqualTo(1);
        store.settableClock().advance(Duration.ofMinutes(1));
        Steps.ClaimedStep second = tasks.steps().claim(task.id() + ".s", "a", null, "r2");
        fail(second, true);
        assertThat(fail(second, true).replayed()).isTrue();
        assertThat(fail(second, true).step().state()).isEqualTo(StepState.FAILED);
        Steps.ClaimedStep third = tasks.steps().claim(task.id() + ".u", "a", null, null);
        complete(third, "1");
        assertThat(complete(third, "1").replayed()).isTrue();
        assertThatThrownBy(() -> complete(third, "2"))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).hasToString("bad_state"));
        assertThat(tasks.get(task.id()).counters()).isEqualTo(new Counters(0, 0, 1, 1, 0, 0, 3));
        finish(task);
        assertThat(complete(third, "1").replayed()).isTrue();
    }

    @Test
    void a_step_left_lying_too_often_has_failed() {
        Task task = tasks.create(NewTask.of("lying", new NewStep("s", List.of(), null, 2), NewStep.of("u", "s")));
        for (int i = 0; i < 2; i++) {
            Steps.ClaimedStep given = next("dead" + i);
            claims.heartbeat(Step.resource(given.step().id()), given.claim().fence());
            store.settableClock().advance(Duration.ofHours(1));
            sweep();
        }
        assertThat(states(task)).containsExactly(StepState.FAILED, StepState.SKIPPED);
        assertThat(tasks.steps(task.id(), 0, 1).getFirst().error()).contains("abandoned 2 times");
        assertThat(due).hasSize(1);
    }

    @Test
    void a_step_left_lying_may_also_be_taken_over_by_the_next_who_comes() {
        Task task = tasks.create(NewTask.of("lying", new NewStep("s", List.of(), null, 2)));
        for (int i = 0; i < 2; i++) {
            Steps.ClaimedStep given = next("dead" + i);
            claims.heartbeat(Step.resource(given.step().id()), given.claim().fence());
            store.settableClock().advance(Duration.ofHours(1));
        }
        assertThat(nothingReady()).isTrue();
        sweep();
        assertThat(states(task)).containsExactly(StepState.FAILED);
    }

    @Test
    void who_has_lost_a_step_can_neither_complete_nor_fail_it() {
        tasks.create(NewTask.of("lost", NewStep.of("s")));
        Steps.ClaimedStep first = next("a");
        store.settableClock().advance(Duration.ofHours(1));
        Steps.ClaimedStep second = next("b");
        assertThatThrownBy(() -> complete(first, null)).hasMessageContaining("b holds it now");
        assertThatThrownBy(() -> fail(first, true))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).hasToString("lost"));
        assertThat(complete(second, null).step().state()).isEqualTo(StepState.SUCCEEDED);
    }

    @Test
    void a_cancelled_task_gives_out_no_steps_and_takes_no_results() {
        Task task = diamond(Policy.ALL_SUCCEEDED);
        complete(next("a"), null);
        Steps.ClaimedStep left = next("a");
        tasks.cancel(task.id(), "not needed", "ann");
        assertThat(tasks.cancel(task.id(), "again", "ann").reason()).isEqualTo("not needed");
        assertThatThrownBy(() -> complete(left, null)).isInstanceOf(RefusedException.class);
        assertThat(nothingReady()).isTrue();
        while (tasks.settle()) {
            // once more
        }
        assertThat(states(task))
                .containsExactly(StepState.SUCCEEDED, StepState.CANCELLED, StepState.CANCELLED, StepState.CANCELLED);
        assertThat(tasks.get(task.id()).counters().settled()).isTrue();
        assertThat(claims.heartbeat("a").lost()).hasSize(1);
        assertThat(tasks.finalizations().claim(task.id(), "p", null, null).message())
                .isEqualTo("Task already complete");
        assertThat(count("outbox")).isEqualTo(1);
    }

    @Test
    void who_asks_for_a_step_of_an_ended_task_is_refused_and_loses_nothing() {
        Task task = diamond(Policy.ALL_SUCCEEDED);
        tasks.cancel(task.id(), "not needed", "ann");
        long events = count("events");
        String stepId = tasks.steps(task.id(), 0, 1).getFirst().id();

        assertThatThrownBy(() -> tasks.steps().claim(stepId, "b", null, null))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the task of step " + stepId + " has ended");
        assertThat(tasks.stepKindClaims().claim(ClaimRequest.of(Step.resource(stepId), "b")))
                .isInstanceOf(Refusal.NotClaimable.class);
        assertThat(claims.heartbeat("b").lost()).isEmpty();
        assertThat(count("events")).isEqualTo(events);
    }

    @Test
    void a_step_that_cannot_be_ended_keeps_neither_its_siblings_nor_other_tasks_from_it() {
        Task first = tasks.create(NewTask.of("first", NewStep.of("a"), NewStep.of("b"), NewStep.of("c")));
        Task second = tasks.create(NewTask.of("second", NewStep.of("a")));
        tasks.cancel(first.id(), "no", "ann");
        tasks.cancel(second.id(), "no", "ann");
        try (RefusedRow _ = RefusedRow.of(store, "UPDATE", "steps", "id", first.id() + ".b")) {
            int turns = 0;
            while (tasks.settle()) {
                assertThat(++turns).isLessThan(10);
            }
            assertThat(tasks.get(first.id()).counters().cancelled()).isEqualTo(2);
            assertThat(tasks.get(second.id()).counters().cancelled()).isEqualTo(1);
        }
        while (tasks.settle()) {
            // once more
        }
        assertThat(tasks.get(first.id()).counters().cancelled()).isEqualTo(3);
    }

    @Test
    void a_cancelled_task_is_settled_in_batches() {
        NewStep[] many = new NewStep[450];
        for (int i = 0; i < many.length; i++) {
            many[i] = NewStep.of("s" + i);
        }
        Task task = tasks.create(NewTask.of("many", many));
        tasks.cancel(task.id(), "no", "ann");
        assertThat(tasks.settle()).isTrue();
        assertThat(tasks.get(task.id()).counters().cancelled()).isEqualTo(200);
        while (tasks.settle()) {
            // once more
        }
        assertThat(tasks.get(task.id()).counters().cancelled()).isEqualTo(450);
        assertThat(claims.depths()).noneMatch(depth -> depth.kind().equals("step"));
    }

    @Test
    void the_same_key_makes_the_same_task_once() {
        NewTask asked = NewTask.of("once", NewStep.of("s")).idempotencyKey("k");
        Task first = tasks.create(asked);
        assertThat(tasks.create(asked).id()).isEqualTo(first.id());
        assertThat(tasks.create(asked.namespace("other")).id()).isNotEqualTo(first.id());
        assertThatThrownBy(
                        () -> tasks.create(NewTask.of("twice", NewStep.of("s")).idempotencyKey("k")))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).hasToString("bad_state"));
        assertThat(count("tasks")).isEqualTo(2);
    }

    @Test
    void circles_unknown_and_doubled_keys_are_invalid_and_nothing_is_made() {
        for (NewStep[] wrong : new NewStep[][] {
            {NewStep.of("a", "b"), NewStep.of("b", "a")},
            {NewStep.of("a", "a")},
            {NewStep.of("a", "x")},
            {NewStep.of("a"), NewStep.of("a")}
        }) {
            assertThatThrownBy(() -> tasks.create(NewTask.of("wrong", wrong))).isInstanceOf(InvalidException.class);
        }
        assertThat(count("tasks")).isZero();
    }

    @Test
    void a_running_step_fans_out_and_its_repeat_adds_nothing() {
        Task task = tasks.create(NewTask.of("split", NewStep.of("plan")));
        Steps.ClaimedStep plan = next("a");
        List<NewStep> parts =
                List.of(NewStep.of("p1", "plan"), NewStep.of("p2", "plan"), NewStep.of("sum", "p1", "p2"));
        for (int i = 0; i < 2; i++) {
            Task wider =
                    tasks.add(task.id(), parts, plan.step().id(), plan.claim().fence());
            assertThat(wider.counters().total()).isEqualTo(4);
        }
        complete(plan, null);
        assertThat(due).isEmpty();
        complete(next("a"), null);
        complete(next("a"), null);
        complete(next("a"), null);
        assertThat(due).hasSize(1);
    }

    @Test
    void who_has_lost_its_step_cannot_fan_out() {
        Task task = tasks.create(NewTask.of("split", NewStep.of("plan")));
        Steps.ClaimedStep plan = next("a");
        assertThatThrownBy(() -> tasks.add(
                        task.id(), List.of(NewStep.of("p")), plan.step().id(), new Fence("b", 1L)))
                .isInstanceOf(RefusedException.class);
        assertThat(tasks.get(task.id()).counters().total()).isEqualTo(1);
    }

    @Test
    void steps_added_to_what_is_due_keep_it_from_ending() {
        Task task = tasks.create(NewTask.of("more", NewStep.of("a")).finalizer(Finalizer.EXTERNAL));
        complete(next("a"), null);
        Finalizations.Claimed claimed = tasks.finalizations().claim(task.id(), "p", null, null);
        tasks.add(task.id(), List.of(NewStep.of("b", "a")), null, null);
        Finalizations.Finished early = finish(task, claimed);
        assertThat(early.reevaluate()).isTrue();
        assertThat(tasks.finalizations()
                        .finish(
                                task.id(),
                                "p",
                                Objects.requireNonNull(claimed.claimGeneration()),
                                early.requestedSeq(),
                                null)
                        .message())
                .contains("not fulfilled");
        complete(next("a"), null);
        assertThat(finish(task).finished()).isTrue();
        assertThatThrownBy(() -> tasks.add(task.id(), List.of(NewStep.of("c")), null, null))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void a_step_added_behind_a_failed_one_is_skipped() {
        Task task = tasks.create(NewTask.of("late", NewStep.of("a"), NewStep.of("z")));
        fail(tasks.steps().claim(task.id() + ".a", "x", null, null), false);
        tasks.add(task.id(), List.of(NewStep.of("b", "a"), NewStep.of("c", "b")), null, null);
        assertThat(states(task))
                .containsExactly(StepState.FAILED, StepState.READY, StepState.SKIPPED, StepState.SKIPPED);
    }

    @Test
    void what_is_added_while_its_dependency_ends_is_never_forgotten() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 20; round++) {
                Task task = tasks.create(NewTask.of("race", NewStep.of("a"), NewStep.of("b")));
                Steps.ClaimedStep a = tasks.steps().claim(task.id() + ".a", "x", null, null);
                Steps.ClaimedStep b = tasks.steps().claim(task.id() + ".b", "y", null, null);
                List<Future<?>> running = List.of(
                        threads.submit(() -> complete(a, null)),
                        threads.submit(() -> complete(b, null)),
                        threads.submit(() -> tasks.add(task.id(), List.of(NewStep.of("c", "a", "b")), null, null)),
                        threads.submit(() -> tasks.add(task.id(), List.of(NewStep.of("d", "b", "a")), null, null)));
                for (Future<?> one : running) {
                    one.get();
                }
                assertThat(states(task)).containsOnly(StepState.SUCCEEDED, StepState.READY);
                complete(tasks.steps().claim(task.id() + ".c", "x", null, null), null);
                complete(tasks.steps().claim(task.id() + ".d", "x", null, null), null);
                assertThat(finish(task).finished()).isTrue();
            }
        }
    }

    @Test
    void who_names_steps_and_finalizations_like_any_other_thing_is_given_them_by_the_same_rules() {
        Task task = tasks.create(
                NewTask.of("generic", NewStep.of("a"), NewStep.of("b", "a")).finalizer(Finalizer.EXTERNAL));
        ClaimRequest asked = ClaimRequest.of(Step.resource(task.id() + ".a"), "x");
        ClaimOutcome.Granted first =
                (ClaimOutcome.Granted) tasks.stepKindClaims().claim(asked);
        EndOutcome.Ended failed = (EndOutcome.Ended)
                tasks.stepKindClaims().release(asked.resource(), first.claim().fence(), Ending.failed("no", null));
        assertThat(failed.how()).isEqualTo(Ending.How.FAILED);
        assertThat(states(task)).containsExactly(StepState.RETRY_WAIT, StepState.WAITING);
        store.settableClock().advance(Duration.ofMinutes(1));
        complete(tasks.steps().claim(task.id() + ".a", "x", null, null), null);

        ClaimRequest finalization = ClaimRequest.of(Task.finalization(task.id()), "p");
        ClaimOutcome.Granted granted =
                (ClaimOutcome.Granted) tasks.finalizationKindClaims().claim(finalization);
        assertThat(tasks.finalizationKindClaims().claim(finalization)).isInstanceOf(ClaimOutcome.AlreadyHeld.class);
        assertThat(tasks.finalizationKindClaims().claim(ClaimRequest.of(Task.finalization(task.id()), "q")))
                .isInstanceOf(Refusal.class);
        tasks.finalizationKindClaims()
                .release(finalization.resource(), granted.claim().fence(), Ending.released(null));
        NextRequest next = NextRequest.of(Kind.FINALIZATION, "p");
        assertThat(tasks.finalizationKindClaims().claimNext(next)).isInstanceOf(ClaimOutcome.Nothing.class);
        complete(next("x"), null);
        assertThat(tasks.finalizationKindClaims().claimNext(next)).isInstanceOf(ClaimOutcome.Granted.class);
        tasks.cancel(task.id(), "over", "ann");
        assertThat(tasks.attempts(task.id(), 0, 100))
                .extracting(Attempt::operation, Attempt::outcome)
                .containsExactly(
                        tuple("claim", "granted"),
                        tuple("claim", "extended"),
                        tuple("claim", "already_claimed"),
                        tuple("release", "released"),
                        tuple("extend", "extended"));
        store.settableClock().advance(Duration.ofDays(2));
        assertThat(tasks.dropAttempts(Duration.ofDays(1))).isEqualTo(5);
    }

    @Test
    void only_the_steps_of_a_namespace_are_given_to_its_agents() {
        tasks.create(NewTask.of("here", NewStep.of("a")).namespace("shop"));
        assertThat(tasks.steps().claimNext("a", "bank", null, null, Duration.ZERO))
                .isEmpty();
        assertThat(tasks.steps().claimNext("a", "shop", null, null, Duration.ZERO))
                .isPresent();
        assertThat(claims.held(Kind.STEP, "a", null)).hasSize(1);
    }
}
