package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.store.NearbyIds;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** P10. */
final class FanIn {
    private static final int AGENTS = 64;
    private static final int STEPS = 10_000;
    private static final int SMALL_TASKS = STEPS / 10;

    /** Where the steps are done; a held snapshot keeps PostgreSQL from removing old row versions. */
    private enum Where {
        POSTGRES("PostgreSQL", 1, false),
        SNAPSHOT("PostgreSQL, held snapshot", 1, true),
        BROKERS("PostgreSQL, 3 brokers", 3, false),
        SQLITE("SQLite", 1, false);

        private final String words;
        private final int brokers;
        private final boolean snapshot;

        Where(String words, int brokers, boolean snapshot) {
            this.words = words;
            this.brokers = brokers;
            this.snapshot = snapshot;
        }

        private String large() {
            return "one task of 10,000 steps, " + words;
        }

        private String small() {
            return "1,000 tasks of 10 steps, " + words;
        }
    }

    static final List<Goal> GOALS = Stream.of(Where.values())
            .map(where -> Goal.atMost(1.1, where.large(), where.small()))
            .toList();

    private FanIn() {}

    static List<Entry> entries(Lab lab) {
        List<Entry> entries = new ArrayList<>();
        for (Where where : Where.values()) {
            entries.add(new Entry(where.small(), "us/step", () -> run(lab, where, SMALL_TASKS)));
            entries.add(new Entry(where.large(), "us/step", () -> run(lab, where, 1)));
        }
        return entries;
    }

    private static Outcome run(Lab lab, Where where, int tasks) throws Exception {
        if (where == Where.SQLITE) {
            Path folder = lab.folder();
            try (Site site = new Site()) {
                site.open(SqliteStore.open(folder));
                return measure(site, tasks, () -> null);
            } finally {
                Lab.delete(folder);
            }
        }
        String url = lab.server().newDatabase();
        try (Site site = new Site()) {
            for (int i = 0; i < where.brokers; i++) {
                site.open(PostgresStore.open(url));
            }
            return measure(site, tasks, () -> where.snapshot ? heldSnapshot(url) : null);
        } finally {
            lab.server().drop(url);
        }
    }

    private static Connection heldSnapshot(String url) throws Exception {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
            statement.execute("SELECT count(*) FROM tasks");
        }
        return connection;
    }

    /** Brokers on one store, and the results of their tasks. */
    private static final class Site implements AutoCloseable {
        private final List<Store> stores = new ArrayList<>();
        private final List<Claims> claims = new ArrayList<>();
        private final List<Sweeper> sweepers = new ArrayList<>();
        private final List<Tasks> brokers = new ArrayList<>();
        private final Queue<String> due = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ended = new AtomicInteger();

        void open(Store store) {
            Claims opened = Claims.over(store, Leases.defaults());
            stores.add(store);
            claims.add(opened);
            sweepers.add(new Sweeper(opened, "broker-" + stores.size(), System::nanoTime, () -> {}));
            brokers.add(new Tasks(store, opened, new NearbyIds(), task -> due.add(task.id())));
        }

        @Override
        public void close() {
            brokers.forEach(Tasks::close);
            claims.forEach(Claims::close);
            stores.forEach(Store::close);
        }
    }

    private interface Held {
        @Nullable
        Connection take() throws Exception;
    }

    private static Figure measure(Site site, int count, Held held) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(AGENTS)) {
            make(site, 100, 10);
            work(site, threads);
            make(site, count, STEPS / count);
            site.ended.set(0);
            try (Connection _ = held.take()) {
                long start = System.nanoTime();
                work(site, threads);
                double micros = (System.nanoTime() - start) / 1_000.0 / STEPS;
                int ended = site.ended.get();
                List<String> violations =
                        ended == count ? List.of() : List.of(ended + " of " + count + " tasks were ended, each once");
                return new Figure(micros, Map.of("tasks ended", (double) ended), violations);
            }
        }
    }

    private static void make(Site site, int count, int steps) {
        site.sweepers.forEach(Sweeper::turn); // so that each knows the others
        NewStep[] all = new NewStep[steps];
        for (int i = 0; i < steps; i++) {
            all[i] = NewStep.of("s" + i);
        }
        for (int i = 0; i < count; i++) {
            site.brokers.getFirst().create(NewTask.of("fan in", all).finalizer(Finalizer.EXTERNAL));
        }
        site.sweepers.forEach(Sweeper::turn);
    }

    private static void work(Site site, ExecutorService threads) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < AGENTS; i++) {
            String agent = "agent-" + i;
            Tasks tasks = site.brokers.get(i % site.brokers.size());
            running.add(threads.submit(() -> {
                Optional<Steps.ClaimedStep> given = next(tasks, agent);
                while (given.isPresent()) {
                    tasks.steps()
                            .complete(
                                    given.get().step().id(), given.get().claim().fence(), "1");
                    end(site, tasks, agent);
                    given = next(tasks, agent);
                }
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
        end(site, site.brokers.getFirst(), "last");
    }

    /** Busy means that others were faster several times in a row: asks again. */
    private static Optional<Steps.ClaimedStep> next(Tasks tasks, String agent) {
        while (true) {
            try {
                return tasks.steps().claimNext(agent, null, null, null, Duration.ZERO);
            } catch (RefusedException refused) {
                if (refused.code() != RefusalCode.BUSY) {
                    throw refused;
                }
            }
        }
    }

    /** Finalizes the tasks that are due; any agent with time may. */
    private static void end(Site site, Tasks tasks, String agent) {
        for (String id = site.due.poll(); id != null; id = site.due.poll()) {
            Finalizations.Claimed claimed = tasks.finalizations().claim(id, agent, null, null);
            Long generation = claimed.claimGeneration();
            if (generation != null
                    && tasks.finalizations()
                            .finish(id, agent, generation, claimed.requestedSeq(), null)
                            .finished()) {
                site.ended.incrementAndGet();
            }
        }
    }
}
