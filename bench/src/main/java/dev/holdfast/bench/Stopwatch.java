package dev.holdfast.bench;

import java.util.Arrays;
import java.util.List;

/** The times of one caller's calls. */
final class Stopwatch {
    private long[] nanos = new long[1 << 12];
    private int count;

    void took(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = time;
    }

    /** The time in microseconds within which this fraction of all calls (0.5: half of them) finished. */
    static double percentile(List<Stopwatch> all, double part) {
        long[] sorted = all.stream()
                .flatMapToLong(one -> Arrays.stream(one.nanos, 0, one.count))
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) ((sorted.length - 1) * part)] / 1_000.0;
    }
}
