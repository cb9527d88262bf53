package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.Engine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** P14, in process; the additional cost of a long poll, its connection, is Jetty's. */
final class ManyWaiters {
    private static final int WAITERS = 10_000;
    private static final int ROUNDS = 2;
    private static final String WAITER = "one of 10,000 who wait";

    static final List<Goal> GOALS = List.of(Goal.atMost(20, WAITER, null));

    private ManyWaiters() {}

    static List<Entry> entries(Lab lab) {
        return List.of(new Entry(
                WAITER, "kB", () -> lab.onSqlite(lab.jvm(WaitersRun.class).with("waiters", WAITERS))));
    }

    /**
     * How memory and the time of a grant change with the number of waiters; memory only from 100 up, below which it
     * cannot be measured.
     */
    static List<Curve> growth(Lab lab, Engine engine, List<Integer> sizes) throws Exception {
        TreeMap<Integer, List<Double>> kilobytes = new TreeMap<>();
        TreeMap<Integer, List<Double>> millis = new TreeMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int waiters : sizes) {
                Figure figure = lab.on(engine, lab.jvm(WaitersRun.class).with("waiters", waiters));
                if (!figure.violations().isEmpty()) {
                    throw new IllegalStateException(figure.violations().toString());
                }
                if (waiters >= 100) {
                    kilobytes.computeIfAbsent(waiters, _ -> new ArrayList<>()).add(figure.value());
                }
                millis.computeIfAbsent(waiters, _ -> new ArrayList<>())
                        .add(figure.details().getOrDefault(WaitersRun.GRANT, Double.NaN));
            }
        }
        List<Curve> curves = new ArrayList<>();
        curves.add(curve("waiters", engine, "from create to grant", "ms", millis));
        if (kilobytes.size() > 1) {
            curves.add(curve("waiters-memory", engine, "memory of one who waits", "kB", kilobytes));
        }
        return curves;
    }

    private static Curve curve(
            String family, Engine engine, String name, String unit, SortedMap<Integer, List<Double>> figures) {
        TreeMap<Integer, Double> points = new TreeMap<>();
        TreeMap<Integer, Double> fastest = new TreeMap<>();
        figures.forEach((size, values) -> {
            points.put(size, Results.median(values).orElseThrow());
            fastest.put(size, Collections.min(values));
        });
        return new Curve(family, Growth.words(engine), name, unit, "who wait", ROUNDS, points, fastest);
    }
}
