package dev.holdfast.broker.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.team.ChaosFaults.Planned;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.Relay;
import dev.holdfast.testing.TestFailover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers on one PostgreSQL with a synchronous standby, behind HAProxy, with TLS and tokens; hundreds of agents
 * use all verbs, while everything breaks in turn. The seed decides what agents do and what breaks when; the report
 * names it.
 */
@Tag("chaos")
class ChaosTest {
    private static final long SEED = Long.getLong("holdfast.chaos.seed", 16);
    private static final Duration LENGTH = Duration.ofMinutes(Long.getLong("holdfast.chaos.minutes", 2));
    private static final int AGENTS = Integer.getInteger("holdfast.chaos.agents", 100);
    private static final int TOKENS = 10;
    private static final int BROKERS = 3;
    /**
     * How many actions all agents together start per second, each of two or three calls. With more than the machine can
     * handle, every agent waits for the others' calls, and restarting a broker takes minutes.
     */
    private static final int PACE =
            Integer.getInteger("holdfast.chaos.pace", 25 * Runtime.getRuntime().availableProcessors());

    private static final int LONGEST_THOUGHT_MILLIS = Math.max(2, 2_000 * AGENTS / PACE);

    private static final int DISK_MEGABYTES = 2_000;
    private static final Duration LATE = Duration.ofSeconds(10);
    private static final Duration TO_THE_END = Duration.ofMinutes(4);
    private static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

    private enum Phase {
        LIVE,
        FINISH,
        OVER
    }

    @TempDir
    private Path folder;

    private final ChaosBook book = new ChaosBook();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LIVE);

    @BeforeAll
    static void programs() {
        Balancer.assumeInstalled();
        Programs.assumeInstalled("faketime", "Debian's package faketime");
    }

    @Test
    void whatever_breaks_nothing_acknowledged_is_lost_and_no_claim_has_two_holders() throws Exception {
        List<String> names = IntStream.range(0, TOKENS).mapToObj(i -> "m" + i).toList();
        Path clock = Files.writeString(folder.resolve("clock"), "+0");
        Map<String, String> stepped = Files.exists(FAKETIME)
                ? Map.of(
                        "LD_PRELOAD",
                        FAKETIME.toString(),
                        "FAKETIME_TIMESTAMP_FILE",
                        clock.toString(),
                        "FAKETIME_CACHE_DURATION",
                        "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        // without it, every timed wait ends at once, and a broker's idle threads keep a core busy
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0")
                : Map.of();
        try (TestFailover servers = TestFailover.onSmallDisk(DISK_MEGABYTES);
                Relay first = new Relay(servers.port(0));
                Relay second = new Relay(servers.port(1));
                Team team = new Team(
                        folder,
                        servers.address()
                                .replace(":" + servers.port(0), ":" + first.port())
                                .replace(":" + servers.port(1), ":" + second.port()),
                        BROKERS,
                        names,
                        Map.of(ChaosFaults.CLOCK_OF, stepped))) {
            servers.followSynchronously();
            ChaosFaults faults = new ChaosFaults(team, servers, List.of(first, second), clock);
            Instant began = Instant.now();
            try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < AGENTS; i++) {
                    String token = names.get(i % TOKENS);
                    ChaosAgent agent = new ChaosAgent(team.member(token), book, token + "/a" + i, SEED * 10_000 + i);
                    var _ = agents.submit(() -> go(agent));
                }
                try {
                    bring(faults, began);
                    phase.set(Phase.FINISH);
                    await().atMost(TO_THE_END)
                            .pollInterval(Duration.ofSeconds(1))
                            .until(() -> ChaosJudge.unfinished(servers.address(1)) == 0);
                } finally {
                    phase.set(Phase.OVER);
                    Files.copy(
                            team.log(),
                            Files.createDirectories(Path.of("target")).resolve("chaos-brokers.log"),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
            List<String> broken = new ArrayList<>(ChaosJudge.broken(servers.address(1), book));
            try (Stream<String> lines = Files.lines(team.log())) {
                lines.filter(line -> line.contains(" ERROR ")).forEach(broken::add);
            }
            report(faults, Duration.between(began, Instant.now()), broken);
            assertThat(broken).isEmpty();
        }
    }

    private Void go(ChaosAgent agent) throws InterruptedException {
        while (true) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_THOUGHT_MILLIS));
            try {
                switch (phase.get()) {
                    case LIVE -> agent.live();
                    case FINISH -> agent.finish();
                    case OVER -> {
                        return null;
                    }
                }
            } catch (RuntimeException e) {
                book.odd("an agent broke: " + e);
            }
        }
    }

    /**
     * Each fault at its time, or a little later if the one before is not over; one that would come much too late is
     * skipped.
     */
    private static void bring(ChaosFaults faults, Instant began) throws Exception {
        Random random = new Random(SEED);
        for (Planned planned : ChaosFaults.plan(LENGTH, BROKERS, SEED)) {
            long early =
                    Duration.between(Instant.now(), began.plus(planned.at())).toMillis();
            if (early > 0) {
                Thread.sleep(early);
            } else if (early < -LATE.toMillis() && !planned.fault().ofTheDatabase()) {
                continue; // a slow machine: fewer faults rather than a longer run
            }
            System.out.printf(
                    "%4d s: %s %d%n",
                    Duration.between(began, Instant.now()).toSeconds(), planned.fault(), planned.broker());
            faults.bring(planned, random);
        }
        faults.awaitAll();
        long left = Duration.between(Instant.now(), began.plus(LENGTH)).toMillis();
        if (left > 0) {
            Thread.sleep(left);
        }
    }

    private void report(ChaosFaults faults, Duration took, List<String> broken) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("seed %d, %d agents, %d s: %d operations, %d calls without an answer, %d violations%n"
                .formatted(SEED, AGENTS, took.toSeconds(), book.operations(), book.unansweredCalls(), broken.size()));
        text.append("faults: ").append(faults.done()).append('\n');
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(cpu -> text.append("CPU of agents and networks: %d s%n".formatted(cpu.toSeconds())));
        for (ChaosBook.Kept what : ChaosBook.Kept.values()) {
            text.append("acknowledged %s: %d%n"
                    .formatted(what, book.acknowledged(what).size()));
        }
        book.answers()
                .forEach((what, times) -> text.append("  ")
                        .append(what)
                        .append(": ")
                        .append(times)
                        .append('\n'));
        broken.stream()
                .limit(50)
                .forEach(one -> text.append("VIOLATION ").append(one).append('\n'));
        System.out.print(text);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("chaos.txt"), text);
    }
}
