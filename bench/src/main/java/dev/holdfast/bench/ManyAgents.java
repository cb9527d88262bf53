package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import java.util.List;

/** P2. */
final class ManyAgents {
    private static final int AGENTS = 256;
    private static final String FUSED = "holdfast, complete-and-next";
    private static final String GRAPHILE = "graphile-worker, batched";
    private static final String LIMIT = "raw claims of 100 rows";

    static final List<Goal> GOALS = List.of(Goal.atLeast(1, FUSED, GRAPHILE), Goal.atLeast(0.5, FUSED, LIMIT));

    private ManyAgents() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(FUSED, "units/s", () -> runs.onPostgres(Way.FUSED, AGENTS, 100_000)),
                new Entry(GRAPHILE, "units/s", new Graphile(lab)::batched),
                new Entry(LIMIT, "rows/s", new RawClaims(lab)::batches),
                new Entry(
                        "limit: our statement alone",
                        "units/s",
                        () -> runs.statementAlone(Way.FUSED, AGENTS, 120_000)));
    }
}
