package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.nio.file.Path;
import java.util.List;

/** P14, in process; what a long poll takes besides, its connection, is Jetty's. */
final class ManyWaiters implements Scenario {
    private static final int WAITERS = 10_000;
    private static final String WAITER = "one of 10,000 who wait";

    @Override
    public String name() {
        return "P14";
    }

    @Override
    public String measures() {
        return "memory of each of 10,000 who wait for work; one item wakes one";
    }

    @Override
    public Engine store() {
        return Engine.SQLITE;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(new Entry(WAITER, "kB", () -> {
            Path folder = lab.folder();
            Outcome outcome = lab.jvm(WaitersRun.class)
                    .with("store", folder)
                    .with("waiters", WAITERS)
                    .run();
            Lab.delete(folder);
            return outcome;
        }));
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(20, WAITER, null));
    }
}
