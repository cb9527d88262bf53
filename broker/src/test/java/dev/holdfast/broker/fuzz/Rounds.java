package dev.holdfast.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The inputs of a door, in rounds of some thousands: each from a seed of its own, so that one can be run again alone
 * ({@code holdfast.fuzz.round}), several at a time.
 */
final class Rounds {
    /** Nothing takes that long, however busy the machine is; unless it only gets what others leave of it. */
    static final Duration HANGS = Duration.ofSeconds(Long.getLong("holdfast.fuzz.hangs", 20));

    static final int INPUTS = Integer.getInteger("holdfast.fuzz.inputs", 5_000);
    static final long SEED = Long.getLong("holdfast.fuzz.seed", 16);
    private static final int ONLY = Integer.getInteger("holdfast.fuzz.round", -1);
    private static final int INPUTS_A_ROUND = 10_000;
    private static final int AT_ONCE = Integer.getInteger("holdfast.fuzz.threads", 3);
    private static final int SHOWN = 20;
    /** A campaign takes hours: how far it is, after so many inputs. */
    private static final int TOLD_EVERY = 10 * INPUTS_A_ROUND;

    /** One round of a door. */
    interface Round {
        void run(int number, int inputs, Random random) throws Exception;
    }

    private final String door;
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Integer> kinds = Collections.synchronizedMap(new TreeMap<>());
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    Rounds(String door) {
        this.door = door;
    }

    void wrong(int round, String what, Object input) {
        String told = "round " + round + ", " + what + "\n    by " + input;
        wrong.add(told);
        if (wrong.size() <= SHOWN) {
            System.out.println("WRONG " + door + ", " + told);
        }
    }

    void kind(String kind) {
        kinds.merge(kind, 1, Integer::sum);
    }

    void took(int round, long nanos, Object input) {
        slowest.accumulateAndGet(nanos, Math::max);
        if (nanos > HANGS.toNanos()) {
            wrong(round, "took " + Duration.ofNanos(nanos), input);
        }
    }

    void done(int inputs) {
        long now = done.addAndGet(inputs);
        if (now % TOLD_EVERY < inputs && now < INPUTS) {
            System.out.printf("%s: %d of %d inputs, %d wrong%n", door, now, INPUTS, wrong.size());
        }
    }

    boolean enoughIsWrong() {
        return wrong.size() >= 5 * SHOWN;
    }

    /** Runs them all, and fails if anything was wrong. */
    void run(Round round) throws InterruptedException {
        long began = System.nanoTime();
        AtomicInteger next = new AtomicInteger(Math.max(0, ONLY));
        int last = ONLY >= 0 ? ONLY + 1 : (INPUTS + INPUTS_A_ROUND - 1) / INPUTS_A_ROUND;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int number = next.getAndIncrement();
                        number < last && !enoughIsWrong();
                        number = next.getAndIncrement()) {
                    one(round, number);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        report(Duration.ofNanos(System.nanoTime() - began));
    }

    private void one(Round round, int number) {
        int inputs = Math.min(INPUTS_A_ROUND, INPUTS - number * INPUTS_A_ROUND);
        try {
            round.run(number, inputs, new Random(SEED * 1_000_003 + door.hashCode() * 31L + number));
        } catch (Exception | StackOverflowError | OutOfMemoryError | AssertionError e) {
            wrong(number, "it broke off: " + trace(e), "");
        }
    }

    static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString().lines().limit(20).collect(Collectors.joining("\n      "));
    }

    private void report(Duration took) {
        System.out.printf(
                "fuzzing %s: %d inputs, seed %d, %d s, %d a second, slowest %d ms, %s, %d wrong%n",
                door,
                done.get(),
                SEED,
                took.toSeconds(),
                done.get() * 1_000 / Math.max(1, took.toMillis()),
                slowest.get() / 1_000_000,
                kinds,
                wrong.size());
        assertThat(wrong.stream().limit(SHOWN)).isEmpty();
        assertThat(done.get()).isPositive();
    }
}
