package dev.holdfast.bench;

import java.util.List;

/** P14, in process; what a long poll takes besides, its connection, is Jetty's. */
final class ManyWaiters {
    private static final int WAITERS = 10_000;
    private static final String WAITER = "one of 10,000 who wait";

    static final List<Goal> GOALS = List.of(Goal.atMost(20, WAITER, null));

    private ManyWaiters() {}

    static List<Entry> entries(Lab lab) {
        return List.of(new Entry(
                WAITER, "kB", () -> lab.onSqlite(lab.jvm(WaitersRun.class).with("waiters", WAITERS))));
    }
}
