package dev.holdfast.bench;

import java.util.List;

/** P4, in process. */
final class NewWork {
    private static final String OURS = "holdfast, created until held";
    private static final String COMMIT = "raw claim of one row, one connection";

    static final List<Goal> GOALS = List.of(Goal.atMost(2, OURS, COMMIT));

    private NewWork() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(OURS, "us", () -> lab.onPostgres(lab.jvm(NewWorkRun.class))),
                new Entry(COMMIT, "us", new RawClaims(lab)::oneRow));
    }
}
