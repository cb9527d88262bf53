package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import java.util.List;

/** P8. */
final class EmbeddedAgents {
    private static final int AGENTS = 32;
    private static final String PLAIN = "holdfast, claim then complete";
    private static final String BY_CALL = "one transaction per call";

    private static final String CYCLES = "holdfast, review cycles: create, claim, verdict, close";
    private static final String PREDECESSOR = "gsd-review-broker, as recorded on another machine; not run here";
    private static final String BARE = "the rows of whole reviews by bare statements, one thread";
    /** With 32 callers, in process, and not synced at every commit (synchronous=NORMAL). */
    private static final double RECORDED = 316;

    static final List<Goal> GOALS = List.of(Goal.atLeast(6, PLAIN, BY_CALL), Goal.atLeast(60, CYCLES, PREDECESSOR));

    private EmbeddedAgents() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(PLAIN, "units/s", () -> runs.onSqlite(AgentsRun.class, Way.COMPLETE, AGENTS, 60_000)),
                new Entry(
                        BY_CALL,
                        "units/s",
                        () -> runs.onSqlite(OneTransactionPerCall.class, Way.COMPLETE, AGENTS, 15_000)),
                new Entry(
                        CYCLES,
                        "cycles/s",
                        () -> lab.onSqlite(lab.jvm(ReviewCyclesRun.class).with("callers", AGENTS))),
                new Entry(PREDECESSOR, "cycles/s", () -> Figure.of(RECORDED)),
                new Entry(BARE, "cycles/s", () -> lab.onSqlite(lab.jvm(BareReviewRows.class))));
    }
}
