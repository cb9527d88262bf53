package dev.holdfast.bench;

import java.util.List;

/** P4: how soon a waiting agent gets new work, through the same broker and through another. */
final class NewWork {
    private static final String OURS = "holdfast, created until held";
    private static final String ACROSS = "holdfast, created at one broker, held at another";
    private static final String COMMIT = "raw claim of one row, one connection";
    private static final String NOTIFY = "raw insert, NOTIFY, claim of one row";
    private static final String NOTIFY_AT_ONCE = "the same with our sockets";
    private static final String GRAPHILE = "graphile-worker, added until begun";

    static final List<Goal> GOALS =
            List.of(Goal.atMost(2, OURS, COMMIT), Goal.atMost(0.25, OURS, GRAPHILE), Goal.atMost(1.3, ACROSS, NOTIFY));

    private NewWork() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(OURS, "us", () -> lab.onPostgres(lab.jvm(NewWorkRun.class))),
                new Entry(COMMIT, "us", new RawClaims(lab)::oneRow),
                new Entry(GRAPHILE, "us", new Graphile(lab)::latency),
                new Entry(
                        ACROSS,
                        "us",
                        () -> lab.onPostgres(lab.jvm(NewWorkRun.class).with("brokers", 2))),
                new Entry(NOTIFY, "us", () -> lab.onPostgres(lab.jvm(NotifyRun.class))),
                new Entry(
                        NOTIFY_AT_ONCE,
                        "us",
                        () -> lab.onPostgres(lab.jvm(NotifyRun.class).with("at-once", 1))));
    }
}
