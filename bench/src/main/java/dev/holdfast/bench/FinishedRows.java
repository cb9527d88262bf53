package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import java.util.List;

/** P6: finished rows, however many, cost claims nothing. */
final class FinishedRows {
    private static final int FEW = 1_000;
    private static final int MANY = 1_000_000;
    private static final int AGENTS = 8;
    private static final String AFTER_FEW = "PostgreSQL, 1,000 finished";
    private static final String AFTER_MANY = "PostgreSQL, 1,000,000 finished";
    private static final String SQLITE_AFTER_FEW = "SQLite, 1,000 finished";
    private static final String SQLITE_AFTER_MANY = "SQLite, 1,000,000 finished";

    static final List<Goal> GOALS =
            List.of(Goal.atLeast(0.9, AFTER_MANY, AFTER_FEW), Goal.atLeast(0.9, SQLITE_AFTER_MANY, SQLITE_AFTER_FEW));

    private FinishedRows() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(AFTER_FEW, "units/s", () -> runs.onPostgres(Way.COMPLETE, AGENTS, 25_000, FEW)),
                new Entry(AFTER_MANY, "units/s", () -> runs.onPostgres(Way.COMPLETE, AGENTS, 25_000, MANY)),
                new Entry(SQLITE_AFTER_FEW, "units/s", () -> runs.onSqliteBeside(FEW, Way.COMPLETE, AGENTS, 20_000)),
                new Entry(SQLITE_AFTER_MANY, "units/s", () -> runs.onSqliteBeside(MANY, Way.COMPLETE, AGENTS, 20_000)));
    }
}
