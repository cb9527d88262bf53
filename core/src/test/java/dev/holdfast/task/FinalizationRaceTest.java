package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many processors finish steps in parallel and race to end their tasks; some go away in the middle of it. Every task ends
 * once, by somebody who had seen all results.
 */
class FinalizationRaceTest {
    private static final int PROCESSORS = 32;
    private static final int TASKS = Integer.getInteger("holdfast.race.tasks", 20);
    private static final int STEPS = 20;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("holdfast.race.minutes", 4));

    /** What a processor had seen of a task that it ended. */
    private record Ended(String taskId, long seen) {}

    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @EnumSource
    void every_task_is_ended_once_by_somebody_who_has_seen_all_its_results(Engine engine) throws Exception {
        try (TestStore store = TestStore.ticking(engine)) {
            race(store);
            assertThat(ended).hasSize(TASKS).allMatch(end -> end.seen == STEPS);
            assertThat(ended.stream().map(Ended::taskId).distinct()).hasSize(TASKS);
            assertThat(count(store, "tasks WHERE state = 'complete'")).isEqualTo(TASKS);
            assertThat(count(store, "outbox")).isEqualTo(TASKS);
            assertThat(count(store, "events WHERE type = 'task_finished'")).isEqualTo(TASKS);
            assertThat(count(store, "finalization_attempts WHERE outcome = 'finished'"))
                    .isEqualTo(TASKS);
            assertThat(count(store, "steps WHERE state = 'succeeded'")).isEqualTo(TASKS * STEPS);
            System.out.printf(
                    "%s: %d tasks, %d claims granted, %d refused as held, %d told to look again%n",
                    engine,
                    TASKS,
                    count(store, "finalization_attempts WHERE outcome = 'granted'"),
                    count(store, "finalization_attempts WHERE outcome = 'already_claimed'"),
                    count(store, "finalization_attempts WHERE outcome = 'reevaluate'"));
        }
    }

    @Test
    void without_the_look_at_the_sequence_tasks_are_ended_by_those_who_have_not_seen_it_all() throws Exception {
        try (TestStore store = TestStore.ticking(Engine.POSTGRES)) {
            String whole = store.store()
                    .read(transaction -> transaction
                            .first(
                                    Sql.of("SELECT pg_get_functiondef('finish_task'::regproc) AS text"),
                                    _ -> {},
                                    row -> row.text("text"))
                            .orElseThrow());
            String check = "coalesce(p_handled_seq, v_task.told_seq) <> v_counters.requested_seq";
            assertThat(whole).contains(check);
            TestPostgres.execute(Objects.requireNonNull(store.address()), whole.replace(check, "false"));
            race(store);
            assertThat(ended).anyMatch(end -> end.seen < STEPS);
        }
    }

    /** On PostgreSQL two brokers share the processors. */
    private void race(TestStore store) throws Exception {
        try (Claims claims = Claims.over(store.store(), Leases.defaults())) {
            Tasks here = tasks(store.store(), claims);
            String address = store.address();
            if (address == null) {
                race(here, here);
                return;
            }
            try (Store second = PostgresStore.open(address);
                    Claims others = Claims.over(second, Leases.defaults())) {
                race(here, tasks(second, others));
            }
        }
    }

    private void race(Tasks here, Tasks there) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(PROCESSORS)) {
            NewStep[] steps = new NewStep[STEPS];
            for (int i = 0; i < STEPS; i++) {
                steps[i] = NewStep.of("s" + i);
            }
            for (int i = 0; i < TASKS; i++) {
                here.create(NewTask.of("race", steps).finalizer(Finalizer.EXTERNAL));
            }
            List<Future<?>> running = new ArrayList<>();
            long deadline = System.nanoTime() + LIMIT.toNanos();
            for (int i = 0; i < PROCESSORS; i++) {
                running.add(threads.submit(new Processor(i % 2 == 0 ? here : there, i, deadline)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static Tasks tasks(Store store, Claims claims) {
        return new Tasks(store, claims, () -> UUID.randomUUID().toString(), _ -> {});
    }

    private static long count(TestStore store, String what) {
        return store.store()
                .read(transaction -> transaction
                        .first(Sql.of("SELECT count(*) AS n FROM " + what), _ -> {}, row -> row.number("n"))
                        .orElseThrow());
    }

    /** Completes what there is, and tries to end what it has touched. Now and then it goes away and comes back as another. */
    private final class Processor implements Runnable {
        private final Tasks tasks;
        private final Random random;
        private final int number;
        private final long deadline;
        private int lives;

        Processor(Tasks tasks, int number, long deadline) {
            this.tasks = tasks;
            this.number = number;
            this.deadline = deadline;
            random = new Random(number);
        }

        private String name() {
            return "p" + number + "-" + lives;
        }

        @Override
        public void run() {
            while (ended.size() < TASKS && System.nanoTime() < deadline) {
                Optional<Steps.Given> given = next();
                if (given.isPresent()) {
                    Steps.Given step = given.get();
                    tasks.steps().complete(step.step().id(), step.claim().fence(), "1");
                    Finalizations.Claimed claimed =
                            tasks.finalizations().claim(step.step().taskId(), name(), LEASE, null);
                    if (claimed.claimGeneration() != null && claimed.requestedSeq() != null) {
                        end(step.step().taskId(), claimed.claimGeneration(), claimed.requestedSeq());
                    }
                } else {
                    endWhatIsOffered();
                }
            }
        }

        private Optional<Steps.Given> next() {
            try {
                return tasks.steps().claimNext(name(), null, null, null, Duration.ZERO);
            } catch (RefusedException refused) {
                assertThat(refused.code()).isEqualTo("busy"); // others were quicker, several times: ask again
                return Optional.empty();
            }
        }

        private void endWhatIsOffered() {
            ClaimOutcome outcome = tasks.finalizationKeeper()
                    .claimNext(NextRequest.of(Kind.FINALIZATION, name()).ttl(LEASE));
            if (outcome instanceof ClaimOutcome.Granted granted) {
                Claim claim = granted.claim();
                Finalizations.Claimed told =
                        tasks.finalizations().claim(claim.resource().id(), name(), LEASE, claim.generation());
                if (told.claimed() && told.requestedSeq() != null) {
                    end(claim.resource().id(), claim.generation(), told.requestedSeq());
                }
            } else {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }

        private void end(String taskId, long generation, long toldSeq) {
            long seq = toldSeq;
            while (true) {
                long seen = tasks.steps(taskId, 0, STEPS).stream()
                        .filter(step -> step.state() == StepState.SUCCEEDED)
                        .count();
                LockSupport.parkNanos(random.nextInt(3_000_000));
                if (random.nextInt(10) == 0) {
                    lives++;
                    return; // and never comes back to this claim
                }
                Finalizations.Finished finished = tasks.finalizations().finish(taskId, name(), generation, seq, null);
                if (finished.finished()) {
                    ended.add(new Ended(taskId, seen));
                    return;
                }
                if (!finished.reevaluate() || finished.requestedSeq() == null) {
                    tasks.finalizations().release(taskId, name(), generation, seq);
                    return;
                }
                seq = finished.requestedSeq();
            }
        }
    }
}
