package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import java.util.List;

/** P7. */
final class TransactionsPerUnit {
    private static final String PLAIN = "holdfast, claim then complete";

    static final List<Goal> GOALS = List.of(Goal.atMost(0.2, PLAIN, null));

    private TransactionsPerUnit() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(PLAIN, "per unit", () -> counted(runs.onPostgres(Way.COMPLETE, 32, 40_000))),
                new Entry("db-scheduler, 32 threads", "per unit", () -> counted(runs.dbScheduler())));
    }

    private static Outcome counted(Figure run) {
        return new Figure(
                run.details().getOrDefault("transactions per unit", Double.NaN), run.details(), run.violations());
    }
}
