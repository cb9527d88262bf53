package dev.holdfast.broker.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Processors in processes of their own race to end tasks; meanwhile some of everything is killed, stopped and restarted. */
final class TaskRace implements AutoCloseable {
    /** A real one: processors are processes, which are killed and stopped past it, and databases keep the time. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static final int STEPS = 20;

    /**
     * How much of it.
     *
     * @param eager every second processor tries to end the task after each of its steps, not only after the last
     * @param kills processors that get SIGKILL, and are replaced by new ones
     * @param pauses processors that stand still past their lease, and then go on
     * @param restarts brokers that get SIGKILL, and databases that are restarted, in turn
     */
    record Size(int processors, int tasks, boolean eager, int kills, int pauses, int restarts, Duration limit) {}

    private enum Fault {
        KILL,
        PAUSE,
        RESTART
    }

    private final Ground ground;
    private final Size size;
    private final Random random;
    private final Path folder;
    private final List<BrokerProcess> brokers = new ArrayList<>();
    private final List<ChildJvm> running = new ArrayList<>();
    private final List<ChildJvm> all = new ArrayList<>();
    private final List<CompletableFuture<?>> pauses = new ArrayList<>();
    private int restarts;

    TaskRace(Ground ground, Size size, long seed, Path folder) throws IOException {
        this.ground = ground;
        this.size = size;
        this.folder = folder;
        random = new Random(seed);
        Files.writeString(
                config(),
                JsonMapper.shared()
                        .writeValueAsString(Map.of("leases", Map.of("broker_seconds", 10, "sweep_pause_seconds", 0))));
        for (int i = 0; i < ground.brokers(); i++) {
            brokers.add(start().now());
        }
    }

    private Path config() {
        return folder.resolve("config.json");
    }

    private Path brokerLog() {
        return folder.resolve("brokers.log");
    }

    private Path stop() {
        return folder.resolve("stop");
    }

    private BrokerProcess.Start start() {
        return ground.start().with("HOLDFAST_CONFIG", config().toString()).logTo(brokerLog());
    }

    /**
     * What came of a race.
     *
     * @param broken what is wrong with it
     * @param firstAttempts which part of those who completed the last step of a task, and try only then, got the claim at once
     */
    record Outcome(List<String> broken, double firstAttempts) {}

    Outcome run() throws Exception {
        plan();
        EventWatch watch =
                new EventWatch(brokers.stream().map(BrokerProcess::address).toList());
        for (int i = 0; i < size.processors; i++) {
            running.add(processor(i));
        }
        List<Fault> faults = faults();
        for (int i = 0; i < faults.size(); i++) {
            int after = size.tasks * (i + 1) / (faults.size() + 2);
            awaitEnds(watch, after);
            bring(faults.get(i));
        }
        await().atMost(size.limit)
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions() // the database may be away
                .until(() -> RaceHistory.openTasks(ground.database()) == 0);
        Files.createFile(stop());
        CompletableFuture.allOf(pauses.toArray(CompletableFuture[]::new)).join();
        for (ChildJvm processor : running) {
            assertThat(processor.exitCode(60)).as(processor.output()).isZero();
        }
        List<Long> seen = watch.all();
        for (BrokerProcess broker : brokers) {
            broker.stop();
        }
        return judge(seen);
    }

    private void plan() throws InterruptedException {
        PatientCaller broker = new PatientCaller(brokers.getFirst().address());
        List<Map<String, Object>> steps = IntStream.range(0, STEPS)
                .mapToObj(i -> Map.<String, Object>of("key", "s" + i, "max_attempts", 100))
                .toList();
        for (int i = 0; i < size.tasks; i++) {
            broker.call(
                    "create_task",
                    Map.of("name", "task " + i, "finalizer", "external", "steps", steps, "idempotency_key", "t" + i));
        }
    }

    private List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        faults.addAll(Collections.nCopies(size.kills, Fault.KILL));
        faults.addAll(Collections.nCopies(size.pauses, Fault.PAUSE));
        faults.addAll(Collections.nCopies(size.restarts, Fault.RESTART));
        Collections.shuffle(faults, random);
        return faults;
    }

    private void awaitEnds(EventWatch watch, int ends) {
        await().atMost(size.limit).pollInterval(Duration.ofMillis(20)).until(() -> watch.ended() >= ends);
    }

    /** Where there are SQL functions, every third processor uses nothing else for the end. */
    private ChildJvm processor(int place) {
        boolean sql = ground.brokers() > 1 && place % 3 == 2;
        URI broker = brokers.get(place % brokers.size()).address();
        RaceProcessor.Orders orders = new RaceProcessor.Orders(
                "p" + all.size(),
                broker,
                sql ? ground.database() : "-",
                LEASE,
                size.eager && place % 2 == 0,
                random.nextLong(),
                stop());
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.addAll(List.of("-Xmx64m", RaceProcessor.class.getName()));
        command.addAll(List.of(orders.words()));
        ChildJvm process = ChildJvm.start(command);
        all.add(process);
        return process;
    }

    private void bring(Fault fault) throws Exception {
        int place = random.nextInt(running.size());
        switch (fault) {
            case KILL -> {
                running.get(place).process().destroyForcibly();
                running.set(place, processor(place));
            }
            case PAUSE -> pause(running.get(place).process());
            case RESTART -> restart();
        }
    }

    private void pause(Process process) throws IOException, InterruptedException {
        signal("-STOP", process);
        Duration length = LEASE.plusMillis(random.nextInt(200, 2_000));
        pauses.add(CompletableFuture.runAsync(
                () -> {
                    try {
                        signal("-CONT", process);
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                CompletableFuture.delayedExecutor(length.toMillis(), TimeUnit.MILLISECONDS)));
    }

    /** One that has been killed meanwhile hears nothing, and need not. */
    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", name, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start()
                .waitFor();
    }

    private void restart() throws IOException, SQLException, InterruptedException {
        restarts++;
        if (restarts % 2 == 1 && ground.breakDown(restarts % 4 == 1)) {
            return;
        }
        int place = random.nextInt(brokers.size());
        BrokerProcess broker = brokers.get(place);
        broker.kill();
        broker.close();
        brokers.set(place, start().at(broker.address()).now());
    }

    private Outcome judge(List<Long> watched) throws IOException, SQLException {
        RaceLog log =
                RaceLog.of(all.stream().flatMap(process -> process.output().lines()));
        RaceHistory history = RaceHistory.of(ground.database());
        List<String> broken = history.broken(size.tasks, STEPS, log);
        List<Long> happened = history.events().stream()
                .filter(event ->
                        !event.resource().startsWith("broker:")) // who stops takes leave after the watch is over
                .map(RaceHistory.Event::id)
                .toList();
        if (!watched.equals(happened)) {
            broken.add("who followed the events was told " + watched.size() + " of " + happened.size());
        }
        try (Stream<String> lines = Files.lines(brokerLog())) {
            lines.filter(line -> line.contains(" ERROR ")).forEach(broken::add);
        }
        tell(log, history);
        return new Outcome(broken, log.firstAttempts(history.lastHolders(), false));
    }

    private void tell(RaceLog log, RaceHistory history) {
        System.out.printf(
                "%d tasks of %d steps, %d processors, %d killed, %d paused, %d restarts:%n"
                        + "  %d claims granted, %d refused as held, %d taken over, %d told to look again, %d finishes too late%n"
                        + "  first attempt after the last step granted: %.1f %% of those who try then, %.1f %% of those who always try%n"
                        + "  claim, with the answer: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms; in the database: p50 %.2f ms, p95 %.2f ms%n",
                size.tasks,
                STEPS,
                size.processors,
                size.kills,
                size.pauses,
                restarts,
                history.attempts("claim", "granted"),
                history.attempts("claim", "already_claimed"),
                history.events().stream()
                        .filter(event -> event.type().equals("taken_over")
                                && event.resource().startsWith("finalization:"))
                        .count(),
                history.attempts("finish", "reevaluate"),
                history.attempts("finish", "lost"),
                log.firstAttempts(history.lastHolders(), false) * 100,
                log.firstAttempts(history.lastHolders(), true) * 100,
                log.claimMillis(0.5),
                log.claimMillis(0.95),
                log.claimMillis(0.99),
                history.claimMillis(0.5),
                history.claimMillis(0.95));
    }

    @Override
    public void close() {
        all.forEach(process -> process.process().destroyForcibly());
        brokers.forEach(BrokerProcess::close);
    }
}
