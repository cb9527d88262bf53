package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.task.Finalizations.Claimed;
import dev.holdfast.task.Finalizations.Finished;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who may end a task, and when. */
abstract class FinalizationContract extends OnAStore {
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    FinalizationContract(Engine engine) {
        super(engine);
    }

    private Task fanOut(int steps) {
        NewStep[] all = new NewStep[steps];
        for (int i = 0; i < steps; i++) {
            all[i] = NewStep.of("s" + i);
        }
        return tasks.create(NewTask.of("fan", all).finalizer(Finalizer.EXTERNAL));
    }

    private void completeOne(String agent) {
        Steps.ClaimedStep given =
                tasks.steps().claimNext(agent, null, null, null, Duration.ZERO).orElseThrow();
        tasks.steps().complete(given.step().id(), given.claim().fence(), "\"ok\"");
    }

    private Claimed claim(String taskId, String processor) {
        return tasks.finalizations().claim(taskId, processor, HALF_A_MINUTE, null);
    }

    @Test
    void an_unknown_task_is_not_found() {
        assertThat(claim("nobody", "p1"))
                .isEqualTo(new Claimed(FinalizationAnswer.NOT_FOUND, null, "not_found", "Task not found", null, null));
        assertThat(tasks.finalizations().release("nobody", "p1", null, null)).isFalse();
        assertThat(tasks.finalizations().finish("nobody", "p1", 1, null, null).message())
                .isEqualTo("Task not found");
    }

    @Test
    void a_task_without_a_step_that_ended_is_not_ready() {
        Task task = fanOut(2);
        assertThat(claim(task.id(), "p1"))
                .isEqualTo(new Claimed(
                        FinalizationAnswer.NOT_READY,
                        null,
                        "has_ready_steps",
                        "Task has no completed or failed steps",
                        null,
                        1L));
    }

    @Test
    void one_processor_gets_the_claim_and_another_hears_who_has_it() {
        Task task = fanOut(2);
        completeOne("a");
        assertThat(claim(task.id(), "p1"))
                .isEqualTo(new Claimed(
                        FinalizationAnswer.GRANTED,
                        "p1",
                        "has_ready_steps",
                        "Successfully claimed for finalization",
                        1L,
                        2L));
        assertThat(claim(task.id(), "p2"))
                .isEqualTo(new Claimed(
                        FinalizationAnswer.ALREADY_CLAIMED,
                        "p1",
                        "has_ready_steps",
                        "Task already claimed for finalization",
                        null,
                        2L));
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.FINALIZING);
    }

    @Test
    void the_same_processor_again_has_the_same_grant() {
        Task task = fanOut(2);
        completeOne("a");
        claim(task.id(), "p1");
        Claimed again = claim(task.id(), "p1");
        assertThat(again.message()).isEqualTo("Claim extended");
        assertThat(again.claimGeneration()).isEqualTo(1L);
    }

    @Test
    void a_claim_that_ran_out_is_taken_over_and_its_holder_can_do_nothing_more() {
        Task task = fanOut(1);
        completeOne("a");
        Claimed first = claim(task.id(), "p1");
        store.settableClock().advance(HALF_A_MINUTE);
        Claimed second = claim(task.id(), "p2");
        assertThat(second.claimGeneration()).isEqualTo(2L);
        assertThat(tasks.finalizations().claim(task.id(), "p1", null, first.claimGeneration()))
                .isEqualTo(new Claimed(
                        FinalizationAnswer.LOST,
                        "p2",
                        "all_complete",
                        "Task already claimed for finalization",
                        null,
                        2L));
        assertThat(tasks.finalizations().release(task.id(), "p1", 1L, null)).isFalse();
        Finished late = tasks.finalizations().finish(task.id(), "p1", 1, null, null);
        assertThat(late.finished()).isFalse();
        assertThat(late.message()).isEqualTo("Claim lost to p2");
        assertThat(tasks.finalizations().finish(task.id(), "p2", 2, null, null).finished())
                .isTrue();
    }

    @Test
    void an_expired_claim_that_nobody_took_is_extended_by_its_generation() {
        Task task = fanOut(1);
        completeOne("a");
        claim(task.id(), "p1");
        store.settableClock().advance(Duration.ofMinutes(2));
        assertThat(tasks.finalizations().claim(task.id(), "p1", null, 1L).message())
                .isEqualTo("Claim extended");
        assertThat(claim(task.id(), "p2").claimed()).isFalse();
    }

    @Test
    void a_step_that_ends_after_the_claim_makes_the_finish_look_again() {
        Task task = fanOut(2);
        completeOne("a");
        claim(task.id(), "p1");
        completeOne("a");
        Finished early = tasks.finalizations().finish(task.id(), "p1", 1, 2L, null);
        assertThat(early)
                .isEqualTo(new Finished(
                        FinalizationAnswer.REEVALUATE, "all_complete", 3L, "Steps have changed since; look again"));
        assertThat(tasks.finalizations().finish(task.id(), "p1", 1, 3L, null).finished())
                .isTrue();
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.COMPLETE);
    }

    @Test
    void before_the_policy_is_fulfilled_a_task_does_not_end() {
        Task task = fanOut(3);
        completeOne("a");
        claim(task.id(), "p1");
        Finished early = tasks.finalizations().finish(task.id(), "p1", 1, null, null);
        assertThat(early.message()).isEqualTo("Policy all_succeeded is not fulfilled: 0 steps are waiting, 2 active");
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.FINALIZING);
    }

    @Test
    void what_becomes_due_while_it_is_held_is_offered_when_it_is_let_go() {
        Task task = fanOut(2);
        completeOne("a");
        claim(task.id(), "p1");
        completeOne("a");
        assertThat(claim(task.id(), "p2").claimed()).isFalse();
        assertThat(tasks.finalizations().release(task.id(), "p1", 1L, 2L)).isTrue();
        assertThat(offered()).isTrue();
    }

    @Test
    void what_is_not_due_is_not_offered_after_its_release() {
        Task task = fanOut(2);
        completeOne("a");
        claim(task.id(), "p1");
        tasks.finalizations().release(task.id(), "p1", 1L, null);
        assertThat(offered()).isFalse();
    }

    private boolean offered() {
        return claims.depths().stream().anyMatch(depth -> depth.kind().equals("finalization") && depth.depth() == 1);
    }

    @Test
    void the_same_finish_again_has_the_same_answer_and_another_has_none() {
        Task task = fanOut(1);
        completeOne("a");
        assertThat(due).extracting(Task::id).contains(task.id());
        claim(task.id(), "p1");
        Finished once = tasks.finalizations().finish(task.id(), "p1", 1, null, null);
        assertThat(once.answer()).isEqualTo(FinalizationAnswer.FINISHED);
        assertThat(tasks.finalizations().finish(task.id(), "p1", 1, null, null))
                .isEqualTo(new Finished(
                        FinalizationAnswer.REPLAYED, once.taskState(), once.requestedSeq(), once.message()));
        assertThat(tasks.finalizations().finish(task.id(), "p2", 1, null, null).message())
                .isEqualTo("Task already complete");
        assertThat(claim(task.id(), "p2").message()).isEqualTo("Task already complete");
    }

    @Test
    void silly_timeouts_and_nobody_are_invalid() {
        Task task = fanOut(1);
        completeOne("a");
        assertThatThrownBy(() -> tasks.finalizations().claim(task.id(), "p1", Duration.ZERO, null))
                .isInstanceOf(InvalidException.class);
        assertThatThrownBy(() -> tasks.finalizations().claim(task.id(), "unknown", null, null))
                .isInstanceOf(InvalidException.class);
        assertThat(tasks.finalizations().claim(task.id(), "p1", null, null).claimed())
                .isTrue();
    }

    @Test
    void a_failed_step_ends_the_task_as_failed() {
        Task task = fanOut(2);
        Steps.ClaimedStep given =
                tasks.steps().claimNext("a", null, null, null, Duration.ZERO).orElseThrow();
        tasks.steps().fail(given.step().id(), given.claim().fence(), "broken", false);
        completeOne("a");
        claim(task.id(), "p1");
        Finished asComplete = tasks.finalizations().finish(task.id(), "p1", 1, null, TaskState.COMPLETE);
        assertThat(asComplete.message())
                .isEqualTo("Policy all_succeeded does not let a task with 1 failed steps end as complete");
        assertThat(tasks.finalizations().finish(task.id(), "p1", 1, null, null).finished())
                .isTrue();
        assertThat(tasks.get(task.id()).state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    void two_threads_of_one_name_share_one_grant_and_one_end() {
        Task task = fanOut(1);
        completeOne("a");
        assertThat(claim(task.id(), "p").claimGeneration()).isEqualTo(1L);
        assertThat(claim(task.id(), "p").claimGeneration()).isEqualTo(1L);
        assertThat(tasks.finalizations().release(task.id(), "p", 1L, null)).isTrue();
        assertThat(claim(task.id(), "q").claimGeneration()).isEqualTo(2L);
        Finished other = tasks.finalizations().finish(task.id(), "p", 1, null, null);
        assertThat(other.message()).isEqualTo("Claim lost to q");
        assertThat(tasks.finalizations().release(task.id(), "p", null, null)).isFalse();
        assertThat(tasks.finalizations().finish(task.id(), "q", 2, null, null).finished())
                .isTrue();
    }

    @Test
    void who_comes_back_by_name_after_its_claim_ran_out_has_a_new_one() {
        Task task = fanOut(1);
        completeOne("a");
        claim(task.id(), "p1");
        store.settableClock().advance(HALF_A_MINUTE);
        Claimed again = claim(task.id(), "p1");
        assertThat(again.message()).isEqualTo("Successfully claimed for finalization");
        assertThat(again.claimGeneration()).isEqualTo(2L);
        assertThat(tasks.finalizations().finish(task.id(), "p1", 1, null, null).message())
                .isEqualTo("Claim lost to p1");
    }

    @Test
    void how_long_a_claim_runs_is_its_own_matter_not_that_of_whoever_asks() {
        Task task = fanOut(1);
        completeOne("a");
        claim(task.id(), "p1"); // half a minute
        store.settableClock().advance(Duration.ofSeconds(10));
        Claimed impatient = tasks.finalizations().claim(task.id(), "p2", Duration.ofSeconds(5), null);
        assertThat(impatient.message()).isEqualTo("Task already claimed for finalization");
        tasks.finalizations().release(task.id(), "p1", 1L, null);

        tasks.finalizations().claim(task.id(), "p3", Duration.ofSeconds(5), null);
        store.settableClock().advance(Duration.ofSeconds(10));
        assertThat(tasks.finalizations()
                        .claim(task.id(), "p4", Duration.ofHours(1), null)
                        .message())
                .isEqualTo("Successfully claimed for finalization");
    }

    @Test
    void an_extension_never_shortens_a_claim() {
        Task task = fanOut(1);
        completeOne("a");
        claim(task.id(), "p1");
        tasks.finalizations().claim(task.id(), "p1", Duration.ofSeconds(1), 1L);
        store.settableClock().advance(Duration.ofSeconds(29));
        assertThat(claim(task.id(), "p2").alreadyClaimedBy()).isEqualTo("p1");
    }

    @Test
    void a_cancelled_or_failed_task_is_over_for_good() {
        Task cancelled = fanOut(2);
        completeOne("a");
        claim(cancelled.id(), "p1");
        tasks.cancel(cancelled.id(), "enough", "ann");
        assertThat(claim(cancelled.id(), "p2"))
                .isEqualTo(new Claimed(
                        FinalizationAnswer.ALREADY_COMPLETE,
                        null,
                        "complete",
                        "Task already complete",
                        null,
                        claim(cancelled.id(), "p2").requestedSeq()));
        assertThat(tasks.finalizations()
                        .finish(cancelled.id(), "p1", 1, null, null)
                        .finished())
                .isFalse();
        assertThat(tasks.get(cancelled.id()).state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void every_attempt_is_logged_with_its_outcome_and_forgotten_when_it_is_old() {
        claim("nobody", "p1");
        Task task = fanOut(2);
        claim(task.id(), "p1");
        completeOne("a");
        claim(task.id(), "p1");
        claim(task.id(), "p2");
        tasks.finalizations().claim(task.id(), "p1", null, 1L);
        tasks.finalizations().claim(task.id(), "p2", null, 1L);
        tasks.finalizations().finish(task.id(), "p1", 1, null, null);
        tasks.finalizations().release(task.id(), "p2", 1L, null);
        tasks.finalizations().release(task.id(), "p1", 1L, null);
        completeOne("a");
        claim(task.id(), "p3");
        tasks.finalizations().finish(task.id(), "p3", 2, 2L, null);
        tasks.finalizations().finish(task.id(), "p1", 1, null, null);
        tasks.finalizations().finish(task.id(), "p3", 2, null, null);
        tasks.finalizations().finish(task.id(), "p3", 2, null, null);
        claim(task.id(), "p4");
        assertThat(tasks.attempts(0, 100))
                .extracting(attempt -> attempt.operation() + " " + attempt.processorId() + " " + attempt.outcome())
                .containsExactly(
                        "claim p1 not_found",
                        "claim p1 not_ready",
                        "claim p1 granted",
                        "claim p2 already_claimed",
                        "extend p1 extended",
                        "extend p2 lost",
                        "finish p1 not_fulfilled",
                        "release p2 not_owned",
                        "release p1 released",
                        "claim p3 granted",
                        "finish p3 reevaluate",
                        "finish p1 lost",
                        "finish p3 finished",
                        "finish p3 replayed",
                        "claim p4 already_complete");

        store.settableClock().advance(Duration.ofDays(1));
        claim(task.id(), "p5");
        store.settableClock().advance(Duration.ofHours(1));
        assertThat(tasks.dropAttempts(Duration.ofDays(1))).isEqualTo(15);
        assertThat(tasks.attempts(0, 100)).extracting(Attempt::processorId).containsExactly("p5");
    }

    @Test
    void an_end_and_a_cancellation_at_the_same_moment_are_one_of_the_two() {
        int tried = 40;
        for (int i = 0; i < tried; i++) {
            String id = fanOut(1).id();
            completeOne("a");
            claim(id, "p");
            CompletableFuture<Boolean> finished = CompletableFuture.supplyAsync(
                    () -> tasks.finalizations().finish(id, "p", 1, null, null).finished());
            boolean cancelled = cancelled(id);
            assertThat(finished.join()).isNotEqualTo(cancelled);
            assertThat(tasks.get(id).state()).isEqualTo(cancelled ? TaskState.CANCELLED : TaskState.COMPLETE);
        }
        assertThat(count("outbox")).isEqualTo(tried);
        assertThat(count("events WHERE type IN ('task_finished', 'task_cancelled')"))
                .isEqualTo(tried);
    }

    private boolean cancelled(String taskId) {
        try {
            tasks.cancel(taskId, "enough", "ann");
            return true;
        } catch (RefusedException refused) {
            assertThat(refused.code()).hasToString("bad_state");
            return false;
        }
    }

    private long count(String what) {
        return store.store()
                .read(transaction -> transaction
                        .first(Sql.of("SELECT count(*) AS n FROM " + what), _ -> {}, row -> row.number("n"))
                        .orElseThrow());
    }
}
