package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.store.Engine;
import java.util.List;

/** P2. */
final class ManyAgents implements Scenario {
    private static final int AGENTS = 256;
    private static final String FUSED = "holdfast, complete-and-next";
    private static final String GRAPHILE = "graphile-worker, batched";
    private static final String LIMIT = "raw claims of 100 rows";

    @Override
    public String name() {
        return "P2";
    }

    @Override
    public String measures() {
        return "256 agents, complete-and-next, PostgreSQL";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(FUSED, "units/s", () -> runs.onPostgres(Way.FUSED, AGENTS, 100_000)),
                new Entry(GRAPHILE, "units/s", new Graphile(lab)::batched),
                new Entry(LIMIT, "rows/s", new RawClaims(lab)::batches));
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atLeast(1, FUSED, GRAPHILE), Goal.atLeast(0.5, FUSED, LIMIT));
    }
}
