package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.StatementAlone;
import dev.holdfast.store.PostgresStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The limit of the engine on PostgreSQL, in its own JVM: its statement with nothing around it. */
final class StatementRun {
    private StatementRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        int rows = number(arguments, "rows");
        String place = arguments.getOrDefault("store", "");
        AtomicBoolean stopped = new AtomicBoolean();
        Batches batches = new Batches();
        Map<String, Double> details = new LinkedHashMap<>();
        double perSecond;
        StatementAlone alone;
        WorkItems items = new WorkItems.OnPostgres(place);
        try (PostgresStore store = PostgresStore.open(place)) {
            items.make(rows, "work");
            store.observer(batches);
            alone = new StatementAlone(
                    store, number(arguments, "calls"), Boolean.parseBoolean(arguments.get("fused")), stopped::get);
            List<Thread> threads = new ArrayList<>();
            for (int i = 1; i <= number(arguments, "connections"); i++) {
                int connection = i;
                threads.add(Thread.ofPlatform().name("connection-" + i).start(() -> alone.run(connection)));
            }
            Thread.sleep(number(arguments, "warm"));
            long before = alone.completions();
            ProcessorTime used = ProcessorTime.now(place);
            long start = System.nanoTime();
            Thread.sleep(number(arguments, "measured"));
            long units = alone.completions() - before;
            perSecond = units / ((System.nanoTime() - start) / 1e9);
            ProcessorTime.now(place).tellSince(used, units, details);
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        details.putAll(batches.figures());
        Guards guards = new Guards(0);
        guards.stored("grants", items.count("SELECT count(*) FROM events WHERE type = 'claimed'"), alone.grants());
        guards.stored(
                "finished items",
                items.count("SELECT count(*) FROM resources WHERE state = 'done'"),
                alone.completions());
        System.out.println(Figures.write(new Figure(perSecond, details, guards.violations())));
    }

    private static int number(Map<String, String> arguments, String name) {
        return Integer.parseInt(arguments.getOrDefault(name, "0"));
    }
}
