package dev.holdfast.broker.team;

import dev.holdfast.testing.Relay;
import dev.holdfast.testing.TestFailover;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What breaks when, as a seed decides, and how. One fault at a time, except that some take a while to recover from. */
final class ChaosFaults {
    /** The broker whose clock is set while it runs. */
    static final int CLOCK_OF = 2;

    private static final int STARTS = 20;

    enum Fault {
        KILL_BROKER,
        STOP_BROKER,
        PAUSE_BROKER,
        CUT_CALLERS,
        DELAY_CALLERS,
        SILENCE_CALLERS,
        CUT_DATABASE,
        DELAY_DATABASE,
        SILENCE_DATABASE,
        STEP_CLOCK,
        CRASH_DATABASE,
        RESTART_DATABASE,
        FILL_DISK,
        PROMOTE_STANDBY;

        /** Comes at a fixed point of the run, and is never skipped. */
        boolean ofTheDatabase() {
            return this == CRASH_DATABASE || this == RESTART_DATABASE || this == FILL_DISK || this == PROMOTE_STANDBY;
        }
    }

    record Planned(Duration at, Fault fault, int broker) {}

    private static final List<Fault> SMALL = List.of(
            Fault.STOP_BROKER,
            Fault.PAUSE_BROKER,
            Fault.CUT_CALLERS,
            Fault.DELAY_CALLERS,
            Fault.SILENCE_CALLERS,
            Fault.CUT_DATABASE,
            Fault.DELAY_DATABASE,
            Fault.SILENCE_DATABASE,
            Fault.STEP_CLOCK);

    private final Team team;
    private final TestFailover servers;
    private final List<Relay> database;
    private final Path clock;
    private final Map<Fault, Integer> done = new TreeMap<>();
    /** By broker: completes when the broker is back. */
    private final List<CompletableFuture<Void>> back = new ArrayList<>();

    ChaosFaults(Team team, TestFailover servers, List<Relay> database, Path clock) {
        this.team = team;
        this.servers = servers;
        this.database = database;
        this.clock = clock;
        for (int i = 0; i < team.size(); i++) {
            back.add(CompletableFuture.completedFuture(null));
        }
    }

    /** As its operator would: a broker that finds no database exits, and is started again. */
    private void startUntilItStays(int broker) {
        for (int failed = 0; ; failed++) {
            try {
                team.startAgain(broker);
                return;
            } catch (IOException e) {
                if (failed == STARTS) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Waits until every broker is back. */
    void awaitAll() {
        CompletableFuture.allOf(back.toArray(CompletableFuture[]::new)).join();
    }

    private void startAgain(int broker, Duration after) {
        back.set(
                broker,
                CompletableFuture.runAsync(
                        () -> startUntilItStays(broker),
                        CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS)));
    }

    /**
     * A broker is killed every 20 s; the database crashes, restarts twice, runs out of disk space and fails over; in
     * between come all the other faults, each once before any is repeated.
     */
    static List<Planned> plan(Duration length, int brokers, long seed) {
        Random random = new Random(seed);
        List<Planned> plan = new ArrayList<>();
        List<Fault> small = new ArrayList<>();
        long end = length.toSeconds();
        for (long at = 20; at < end; at += 20) {
            plan.add(new Planned(Duration.ofSeconds(at), Fault.KILL_BROKER, random.nextInt(brokers)));
            if (small.isEmpty()) {
                small.addAll(SMALL);
                Collections.shuffle(small, random);
            }
            Fault next = small.removeLast();
            plan.add(new Planned(
                    Duration.ofSeconds(at - random.nextInt(6, 16)),
                    next,
                    next == Fault.STEP_CLOCK ? CLOCK_OF : random.nextInt(brokers)));
        }
        plan.add(new Planned(Duration.ofSeconds(end * 15 / 100), Fault.RESTART_DATABASE, 0));
        plan.add(new Planned(Duration.ofSeconds(end * 30 / 100), Fault.CRASH_DATABASE, 0));
        plan.add(new Planned(Duration.ofSeconds(end * 45 / 100), Fault.RESTART_DATABASE, 0));
        plan.add(new Planned(Duration.ofSeconds(end * 58 / 100), Fault.FILL_DISK, 0));
        plan.add(new Planned(Duration.ofSeconds(end * 70 / 100), Fault.PROMOTE_STANDBY, 0));
        plan.sort(Comparator.comparing(Planned::at));
        return plan;
    }

    /** How often each fault happened. */
    Map<Fault, Integer> done() {
        return done;
    }

    void bring(Planned planned, Random random) throws Exception {
        int broker = planned.broker;
        awaitAll(); // so we never take down more than one at a time
        switch (planned.fault) {
            case KILL_BROKER -> {
                team.kill(broker);
                startAgain(broker, Duration.ofMillis(random.nextInt(500, 3_000)));
            }
            case STOP_BROKER -> {
                team.broker(broker).stop(Team.DRAIN.plusSeconds(20));
                startAgain(broker, Duration.ZERO);
            }
            case PAUSE_BROKER -> {
                team.broker(broker).pause();
                Thread.sleep(12_000); // past its lease
                team.broker(broker).resume();
            }
            case CUT_CALLERS -> team.before(broker).cut();
            case DELAY_CALLERS -> {
                team.before(broker).delay(Duration.ofMillis(random.nextInt(50, 400)));
                Thread.sleep(5_000);
                team.before(broker).recover();
            }
            case SILENCE_CALLERS -> {
                team.before(broker).fallSilent();
                Thread.sleep(5_000);
                team.before(broker).recover();
            }
            case CUT_DATABASE -> database.forEach(Relay::cut);
            case DELAY_DATABASE -> {
                database.forEach(relay -> relay.delay(Duration.ofMillis(50)));
                Thread.sleep(5_000);
                database.forEach(Relay::recover);
            }
            case SILENCE_DATABASE -> {
                database.forEach(Relay::fallSilent);
                Thread.sleep(4_000);
                database.forEach(Relay::recover);
            }
            case STEP_CLOCK -> Files.writeString(clock, (random.nextBoolean() ? "+" : "-") + random.nextInt(1, 86_400));
            case CRASH_DATABASE -> servers.restart(false);
            case RESTART_DATABASE -> servers.restart(true);
            case FILL_DISK -> {
                if (!servers.fillDisk()) {
                    return; // there is no such disk here, so it does not count as done
                }
                Thread.sleep(6_000);
                servers.makeRoom();
            }
            case PROMOTE_STANDBY -> {
                servers.killPrimary();
                servers.failOver();
            }
        }
        done.merge(planned.fault, 1, Integer::sum);
    }
}
