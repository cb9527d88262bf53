package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.util.List;

/** P4, in process. */
final class NewWork implements Scenario {
    private static final String OURS = "holdfast, created until held";
    private static final String COMMIT = "raw claim of one row, one connection";

    @Override
    public String name() {
        return "P4";
    }

    @Override
    public String measures() {
        return "from the call that creates a work item until an agent that waited holds it, median";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(OURS, "us", () -> {
                    String url = lab.server().newDatabase();
                    Outcome outcome =
                            lab.jvm(NewWorkRun.class).with("store", url).run();
                    lab.server().drop(url);
                    return outcome;
                }),
                new Entry(COMMIT, "us", new RawClaims(lab)::oneRow));
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(2, OURS, COMMIT));
    }
}
