package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Checks whether anything grows that should not. All sizes exist at once, and each call is made at every size in turn:
 * other load on the machine affects all alike.
 */
final class Growth {
    static final String NAME = "growth";
    static final String MEASURES =
            "time of calls, pages and sweeps with 1,000 to 1,000,000 rows of finished things in the store,"
                    + " of a step in tasks of 10 to 10,000, of a grant with 1 to 10,000 who wait";

    private static final int WARM = 4;
    private static final int TURNS = 15;

    private final Map<String, Map<Integer, Stopwatch>> times = new LinkedHashMap<>();
    private final Map<String, String> families = new LinkedHashMap<>();
    private boolean measuring;

    private Growth() {}

    /** Makes the calls at one size, and passes what should be timed to {@link Timed}. */
    interface Turn {
        void at(int size, int turn, Timed timed) throws Exception;
    }

    interface Timed {
        <T> T call(String family, String name, Call<T> call) throws Exception;
    }

    interface Call<T> {
        T make() throws Exception;
    }

    /** Measures everything, on both stores. */
    static List<Curve> measure(Lab lab, int max, PrintStream progress) throws Exception {
        if (RunningBroker.launcher().isEmpty()) {
            progress.println("growth  not available: needs the launcher");
            return List.of();
        }
        List<Curve> all = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            progress.printf("growth  %s%n", words(engine));
            all.addAll(printed(
                    progress, FullStores.measure(lab, engine, powers(1_000, Math.min(max, 1_000_000)), progress)));
            all.addAll(printed(progress, LargeTasks.measure(lab, engine, powers(10, Math.min(max, 10_000)))));
            all.addAll(printed(progress, ManyWaiters.growth(lab, engine, powers(1, Math.min(max, 10_000)))));
        }
        return all;
    }

    private static List<Curve> printed(PrintStream progress, List<Curve> curves) {
        progress.print(Report.growth(curves));
        return curves;
    }

    static String words(Engine engine) {
        return engine == Engine.POSTGRES ? "PostgreSQL" : "SQLite";
    }

    /** The smallest size and its multiples by powers of ten, up to the largest. */
    private static List<Integer> powers(int least, int max) {
        return IntStream.iterate(least, size -> size <= max, size -> size * 10)
                .boxed()
                .toList();
    }

    /** Runs the turns, each at every size, starting with a different size every time. */
    static List<Curve> turns(String store, String of, List<Integer> sizes, Turn turn) throws Exception {
        Growth growth = new Growth();
        for (int i = 0; i < WARM + TURNS; i++) {
            growth.measuring = i >= WARM;
            for (int k = 0; k < sizes.size(); k++) {
                int size = sizes.get((i + k) % sizes.size());
                int number = i;
                turn.at(size, number, new Timed() {
                    @Override
                    public <T> T call(String family, String name, Call<T> call) throws Exception {
                        return growth.timed(family, name, size, call);
                    }
                });
            }
        }
        return growth.curves(store, of);
    }

    private <T> T timed(String family, String name, int size, Call<T> call) throws Exception {
        long start = System.nanoTime();
        T result = call.make();
        long took = System.nanoTime() - start;
        if (measuring) {
            families.putIfAbsent(name, family);
            times.computeIfAbsent(name, _ -> new TreeMap<>())
                    .computeIfAbsent(size, _ -> new Stopwatch())
                    .took(took);
        }
        return result;
    }

    private List<Curve> curves(String store, String of) {
        List<Curve> curves = new ArrayList<>();
        times.forEach((name, bySize) -> {
            TreeMap<Integer, Double> points = new TreeMap<>();
            TreeMap<Integer, Double> fastest = new TreeMap<>();
            bySize.forEach((size, watch) -> {
                points.put(size, Stopwatch.percentile(List.of(watch), 0.5) / 1_000);
                fastest.put(size, Stopwatch.percentile(List.of(watch), 0) / 1_000);
            });
            curves.add(new Curve(families.getOrDefault(name, ""), store, name, "ms", of, TURNS, points, fastest));
        });
        return curves;
    }

    static void tell(PrintStream progress, String what, long since) {
        progress.printf(Locale.ROOT, "  %s in %.0f s%n", what, (System.nanoTime() - since) / 1e9);
    }
}
