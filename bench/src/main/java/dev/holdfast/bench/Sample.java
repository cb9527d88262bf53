package dev.holdfast.bench;

import java.util.stream.DoubleStream;

/** One run of one entry, with the yardsticks taken right before and right after it. */
record Sample(int round, String entry, Outcome outcome, double yardstickBefore, double yardstickAfter) {
    /** If yardsticks differ by more than this factor, the machine was busy with something else. */
    static final double MAX_NOISE = 1.25;

    boolean quiet() {
        return quiet(yardstickBefore, yardstickAfter);
    }

    /** Whether the machine was equally fast for both. */
    boolean quietWith(Sample other) {
        return quiet(yardstickBefore, yardstickAfter, other.yardstickBefore, other.yardstickAfter);
    }

    double yardstick() {
        return (yardstickBefore + yardstickAfter) / 2;
    }

    private static boolean quiet(double... yardsticks) {
        double least = DoubleStream.of(yardsticks).min().orElseThrow();
        double max = DoubleStream.of(yardsticks).max().orElseThrow();
        return max <= least * MAX_NOISE;
    }
}
