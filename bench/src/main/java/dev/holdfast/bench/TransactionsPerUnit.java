package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.Engine;
import java.util.List;

/** P7. */
final class TransactionsPerUnit implements Scenario {
    private static final String PLAIN = "holdfast, claim then complete";

    @Override
    public String name() {
        return "P7";
    }

    @Override
    public String measures() {
        return "transactions that PostgreSQL counts per completed unit, 32 agents; it does not depend on the disk";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(PLAIN, "per unit", () -> counted(runs.onPostgres(Way.COMPLETE, 32, 40_000))),
                new Entry("db-scheduler, 32 threads", "per unit", () -> counted(runs.dbScheduler())));
    }

    private static Outcome counted(Figure run) {
        return new Figure(
                run.details().getOrDefault("transactions per unit", Double.NaN), run.details(), run.violations());
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(0.2, PLAIN, null));
    }
}
