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
import dev.holdfast.testing.Checker;
import dev.holdfast.testing.SettableClock;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Many processors finish steps in parallel and race to end their tasks; some go away in the middle of it. Every task ends
 * once, by somebody who had seen all results.
 */
final class FinalizationRace {
    private static final int PROCESSORS = 32;
    private static final int TASKS = 20;
    private static final int STEPS = 20;
    private static final Duration LEASE = Duration.ofSeconds(1);

    /** What a processor had seen of a task that it ended. */
    private record Ended(String taskId, long seen) {}

    /** How much time passes for whoever finds nothing to do. */
    private static final Duration A_MOMENT = Duration.ofMillis(5);

    private final Duration limit;
    private final SettableClock clock;
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();

    private FinalizationRace(Duration limit, SettableClock clock) {
        this.limit = limit;
        this.clock = clock;
    }

    private synchronized void aMomentPasses() {
        clock.advance(A_MOMENT);
    }

    /** Races on new SQLite stores until something is wrong, for at most this many seconds. */
    public static final class OnSqlite implements Checker {
        @Override
        public Optional<String> objection(List<String> arguments) throws Exception {
            return firstViolation(
                    () -> TestStore.settable(Engine.SQLITE), Duration.ofSeconds(Long.parseLong(arguments.getFirst())));
        }
    }

    /** Repeats the race until something is wrong: one without a guard may still go well by chance. */
    static Optional<String> firstViolation(Supplier<TestStore> newStores, Duration limit) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        Optional<String> violation = Optional.empty();
        while (violation.isEmpty() && System.nanoTime() < deadline) {
            try (TestStore store = newStores.get()) {
                violation = run(store, Duration.ofNanos(deadline - System.nanoTime())).stream()
                        .findFirst();
            }
        }
        return violation;
    }

    /** Runs it and returns what is wrong with what came of it. */
    static List<String> run(TestStore store, Duration limit) throws Exception {
        FinalizationRace race = new FinalizationRace(limit, store.settableClock());
        race.race(store);
        return race.broken(store);
    }

    private List<String> broken(TestStore store) {
        List<String> broken = new ArrayList<>();
        for (Ended end : ended) {
            if (end.seen != STEPS) {
                broken.add("ended by somebody who had seen " + end.seen + " of " + STEPS + " results: " + end.taskId);
            }
        }
        Map<String, Long> expected = Map.of(
                "tasks WHERE state = 'complete'",
                (long) TASKS,
                "outbox",
                (long) TASKS,
                "events WHERE type = 'task_finished'",
                (long) TASKS,
                "finalization_attempts WHERE outcome = 'finished'",
                (long) TASKS,
                "steps WHERE state = 'succeeded'",
                (long) TASKS * STEPS);
        expected.forEach((what, number) -> {
            if (count(store, what) != number) {
                broken.add(count(store, what) + " instead of " + number + ": " + what);
            }
        });
        if (ended.stream().map(Ended::taskId).distinct().count() != ended.size() || ended.size() != TASKS) {
            broken.add(ended.size() + " were told that they ended a task");
        }
        return broken;
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
            long deadline = System.nanoTime() + limit.toNanos();
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
                Optional<Steps.ClaimedStep> given = next();
                if (given.isPresent()) {
                    complete(given.get());
                } else {
                    endWhatIsOffered();
                }
            }
        }

        private void complete(Steps.ClaimedStep given) {
            String taskId = given.step().taskId();
            try {
                tasks.steps().complete(given.step().id(), given.claim().fence(), "1");
            } catch (RefusedException refused) {
                assertThat(refused.code())
                        .hasToString("bad_state"); // the task has ended already, which is noticed later
                return;
            }
            Finalizations.Claimed claimed = tasks.finalizations().claim(taskId, name(), LEASE, null);
            if (claimed.claimGeneration() != null && claimed.requestedSeq() != null) {
                end(taskId, claimed.claimGeneration(), claimed.requestedSeq());
            }
        }

        private Optional<Steps.ClaimedStep> next() {
            try {
                return tasks.steps().claimNext(name(), null, null, null, Duration.ZERO);
            } catch (RefusedException refused) {
                assertThat(refused.code()).hasToString("busy"); // others were quicker, several times: ask again
                return Optional.empty();
            }
        }

        private void endWhatIsOffered() {
            ClaimOutcome outcome = tasks.finalizationKindClaims()
                    .claimNext(NextRequest.of(Kind.FINALIZATION, name()).ttl(LEASE));
            if (outcome instanceof ClaimOutcome.Granted granted) {
                Claim claim = granted.claim();
                Finalizations.Claimed answer =
                        tasks.finalizations().claim(claim.resource().id(), name(), LEASE, claim.generation());
                if (answer.claimed() && answer.requestedSeq() != null) {
                    end(claim.resource().id(), claim.generation(), answer.requestedSeq());
                }
            } else {
                aMomentPasses();
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
                    LockSupport.parkNanos(random.nextInt(3_000_000)); // a step may end now
                    tasks.finalizations().release(taskId, name(), generation, seq);
                    return;
                }
                seq = finished.requestedSeq();
            }
        }
    }
}
