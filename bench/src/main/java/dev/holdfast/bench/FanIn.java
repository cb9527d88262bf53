package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Leases;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Tasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** P10. */
final class FanIn implements Scenario {
    private static final int AGENTS = 64;
    private static final int STEPS = 10_000;
    private static final String LARGE = "one task of 10,000 steps";
    private static final String SMALL = "1,000 tasks of 10 steps";
    private static final String LARGE_SQLITE = LARGE + ", SQLite";
    private static final String SMALL_SQLITE = SMALL + ", SQLite";

    @Override
    public String name() {
        return "P10";
    }

    @Override
    public String measures() {
        return "fan-in: claim and complete 10,000 steps by 64 agents, and end the tasks; PostgreSQL, and SQLite";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(SMALL, "µs/step", () -> onPostgres(lab, STEPS / 10)),
                new Entry(LARGE, "µs/step", () -> onPostgres(lab, 1)),
                new Entry(SMALL_SQLITE, "µs/step", () -> onSqlite(lab, STEPS / 10)),
                new Entry(LARGE_SQLITE, "µs/step", () -> onSqlite(lab, 1)));
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(1.1, LARGE, SMALL), Goal.atMost(1.1, LARGE_SQLITE, SMALL_SQLITE));
    }

    private static Outcome onPostgres(Lab lab, int tasks) throws Exception {
        String url = lab.server().newDatabase();
        try (Store store = PostgresStore.open(url)) {
            return run(store, tasks);
        } finally {
            lab.server().drop(url);
        }
    }

    private static Outcome onSqlite(Lab lab, int tasks) throws Exception {
        Path folder = lab.folder();
        try (Store store = SqliteStore.open(folder)) {
            return run(store, tasks);
        } finally {
            Lab.delete(folder);
        }
    }

    private static Figure run(Store store, int count) throws Exception {
        Queue<String> due = new ConcurrentLinkedQueue<>();
        try (Claims claims = Claims.over(store, Leases.defaults());
                Tasks tasks = new Tasks(store, claims, () -> UUID.randomUUID().toString(), task -> due.add(task.id()));
                ExecutorService threads = Executors.newFixedThreadPool(AGENTS)) {
            make(tasks, 100, 10);
            work(tasks, threads);
            due.clear();
            make(tasks, count, STEPS / count);
            long start = System.nanoTime();
            work(tasks, threads);
            long finished = end(tasks, due);
            double micros = (System.nanoTime() - start) / 1_000.0 / STEPS;
            List<String> violations =
                    finished == count ? List.of() : List.of(finished + " of " + count + " tasks were ended, each once");
            return new Figure(micros, Map.of("tasks ended", (double) finished), violations);
        }
    }

    private static void make(Tasks tasks, int count, int steps) {
        NewStep[] all = new NewStep[steps];
        for (int i = 0; i < steps; i++) {
            all[i] = NewStep.of("s" + i);
        }
        for (int i = 0; i < count; i++) {
            tasks.create(NewTask.of("fan in", all).finalizer(Finalizer.EXTERNAL));
        }
    }

    private static void work(Tasks tasks, ExecutorService threads) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < AGENTS; i++) {
            String agent = "agent-" + i;
            running.add(threads.submit(() -> {
                Optional<Steps.Given> given = next(tasks, agent);
                while (given.isPresent()) {
                    tasks.steps()
                            .complete(
                                    given.get().step().id(), given.get().claim().fence(), "1");
                    given = next(tasks, agent);
                }
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
    }

    private static Optional<Steps.Given> next(Tasks tasks, String agent) {
        return tasks.steps().claimNext(agent, null, null, null, Duration.ZERO);
    }

    private static long end(Tasks tasks, Queue<String> due) {
        long finished = 0;
        for (String id : due) {
            Finalizations.Claimed claimed = tasks.finalizations().claim(id, "processor", null, null);
            Long generation = claimed.claimGeneration();
            if (generation != null
                    && tasks.finalizations()
                            .finish(id, "processor", generation, claimed.requestedSeq(), null)
                            .finished()) {
                finished++;
            }
        }
        return finished;
    }
}
