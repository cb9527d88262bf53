package dev.holdfast.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.Outcome.Figure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** db-scheduler in its own JVM: 32 threads, lock-and-fetch with its fastest documented limits, an empty job. */
final class DbSchedulerRun {
    private static final int THREADS = 32;
    private static final long WARM_JOBS = 20_000;
    private static final long ALL_JOBS = 60_000;

    private DbSchedulerRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        String url = arguments.getOrDefault("store", "");
        int rows = Integer.parseInt(arguments.getOrDefault("rows", "0"));
        prepare(url, rows);
        LongAdder done = new LongAdder();
        OneTimeTask<Void> job = Tasks.oneTime("unit").execute((_, _) -> done.increment());
        long commits = new WorkItems.OnPostgres(url).commits();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(THREADS + 8);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Scheduler scheduler = Scheduler.create(pool, job)
                    .threads(THREADS)
                    .pollUsingLockAndFetch(4.0, 20.0)
                    .pollingInterval(Duration.ofSeconds(1))
                    .build();
            scheduler.start();
            await(Long.parseLong(arguments.getOrDefault("warm", "0")), done, WARM_JOBS);
            long before = done.sum();
            long start = System.nanoTime();
            await(Long.parseLong(arguments.getOrDefault("measured", "1000")), done, ALL_JOBS);
            double seconds = (System.nanoTime() - start) / 1e9;
            long units = done.sum() - before;
            if (done.sum() >= rows) {
                throw new IllegalStateException("all jobs were done before the time was over; give it more");
            }
            scheduler.stop();
            pool.close();
            Map<String, Double> details = new LinkedHashMap<>();
            details.put("units", done.doubleValue());
            details.put(
                    "transactions per unit", (new WorkItems.OnPostgres(url).commits() - commits) / done.doubleValue());
            long left = Long.parseLong(PostgresServer.value(url, "SELECT count(*) FROM scheduled_tasks"));
            // restarted or stopped in between: reported, but the guards only apply to us
            details.put("done but still there", (double) left - (rows - done.sum()));
            System.out.println(Figures.write(new Figure(units / seconds, details, List.of())));
        }
        System.exit(0);
    }

    private static void await(long millis, LongAdder done, long jobs) throws InterruptedException {
        long start = System.nanoTime();
        Thread.sleep(millis);
        while (done.sum() < jobs
                && System.nanoTime() - start < Duration.ofMinutes(1).toNanos()) {
            Thread.sleep(5);
        }
    }

    /** The table and indexes from db-scheduler's documentation. */
    private static void prepare(String url, int rows) throws Exception {
        PostgresServer.execute(
                url,
                """
                CREATE TABLE scheduled_tasks (
                    task_name            text        NOT NULL,
                    task_instance        text        NOT NULL,
                    task_data            bytea,
                    execution_time       timestamptz NOT NULL,
                    picked               boolean     NOT NULL,
                    picked_by            text,
                    last_success         timestamptz,
                    last_failure         timestamptz,
                    consecutive_failures int,
                    last_heartbeat       timestamptz,
                    version              bigint      NOT NULL,
                    priority             smallint,
                    PRIMARY KEY (task_name, task_instance)
                )""",
                "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
                "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)",
                "CREATE INDEX priority_execution_time_idx ON scheduled_tasks (priority DESC, execution_time ASC)",
                "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
                        + " SELECT 'unit', i::text, now(), false, 1 FROM generate_series(1, " + rows + ") AS i",
                "VACUUM ANALYZE scheduled_tasks",
                "CHECKPOINT");
    }
}
