package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import java.util.List;

/** P1. */
final class ThirtyTwoAgents {
    private static final int AGENTS = 32;
    private static final String PLAIN = "holdfast, claim then complete";
    private static final String FUSED = "holdfast, complete-and-next";
    private static final String DB_SCHEDULER = "db-scheduler, 32 threads";
    private static final String GRAPHILE = "graphile-worker, 32 at a time";

    static final List<Goal> GOALS = List.of(
            Goal.atLeast(1.5, PLAIN, DB_SCHEDULER),
            Goal.atLeast(4, PLAIN, GRAPHILE),
            Goal.atLeast(2, FUSED, DB_SCHEDULER));

    private ThirtyTwoAgents() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(PLAIN, "units/s", () -> runs.onPostgres(Way.COMPLETE, AGENTS, 40_000)),
                new Entry(DB_SCHEDULER, "units/s", runs::dbScheduler),
                new Entry(FUSED, "units/s", () -> runs.onPostgres(Way.FUSED, AGENTS, 60_000)),
                new Entry(GRAPHILE, "units/s", new Graphile(lab)::asItComes),
                new Entry(
                        "limit: our statement alone, claim then complete",
                        "units/s",
                        () -> runs.statementAlone(Way.COMPLETE, AGENTS, 60_000)),
                new Entry(
                        "limit: our statement alone, complete-and-next",
                        "units/s",
                        () -> runs.statementAlone(Way.FUSED, AGENTS, 80_000)));
    }
}
