package dev.holdfast.bench;

import java.util.List;

/** P13. */
final class DeadHolder {
    private static final int CLAIMS = 10_000;
    private static final String POSTGRES = "PostgreSQL";
    private static final String SQLITE = "SQLite";

    static final List<Goal> GOALS = List.of(Goal.atMost(1_000, POSTGRES, null), Goal.atMost(1_000, SQLITE, null));

    private DeadHolder() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(POSTGRES, "ms", () -> lab.onPostgres(takingBack(lab))),
                new Entry(SQLITE, "ms", () -> lab.onSqlite(takingBack(lab))));
    }

    private static ChildJvm takingBack(Lab lab) {
        return lab.jvm(ReclaimRun.class).with("claims", CLAIMS);
    }
}
