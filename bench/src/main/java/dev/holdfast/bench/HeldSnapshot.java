package dev.holdfast.bench;

import java.util.List;

/** P5. */
final class HeldSnapshot {
    private static final String OURS = "holdfast, the last 3 s of 10 against the first 3";

    static final List<Goal> GOALS = List.of(new Goal(OURS, null, Goal.Sense.AT_LEAST, 0.8));

    private HeldSnapshot() {}

    static List<Entry> entries(Lab lab) {
        return List.of(new Entry(OURS, "x", () -> lab.onPostgres(lab.jvm(HeldSnapshotRun.class))));
    }
}
