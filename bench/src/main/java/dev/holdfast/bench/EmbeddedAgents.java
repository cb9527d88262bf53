package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import java.util.List;

/** P8; the review cycle is not measured yet. */
final class EmbeddedAgents {
    private static final int AGENTS = 32;
    private static final String PLAIN = "holdfast, claim then complete";
    private static final String BY_CALL = "one transaction per call";

    static final List<Goal> GOALS = List.of(Goal.atLeast(6, PLAIN, BY_CALL));

    private EmbeddedAgents() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(PLAIN, "units/s", () -> runs.onSqlite(AgentsRun.class, Way.COMPLETE, AGENTS, 60_000)),
                new Entry(
                        BY_CALL,
                        "units/s",
                        () -> runs.onSqlite(OneTransactionPerCall.class, Way.COMPLETE, AGENTS, 15_000)));
    }
}
