package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.util.List;

/** P5. */
final class HeldSnapshot implements Scenario {
    private static final String OURS = "holdfast, the last 3 s of 10 against the first 3";

    @Override
    public String name() {
        return "P5";
    }

    @Override
    public String measures() {
        return "8 agents, claim then complete, while an idle transaction holds a snapshot for 10 s";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(new Entry(OURS, "x", () -> {
            String url = lab.server().newDatabase();
            Outcome outcome = lab.jvm(HeldSnapshotRun.class).with("store", url).run();
            lab.server().drop(url);
            return outcome;
        }));
    }

    @Override
    public List<Goal> goals() {
        return List.of(new Goal(OURS, null, Goal.Sense.AT_LEAST, 0.8));
    }
}
