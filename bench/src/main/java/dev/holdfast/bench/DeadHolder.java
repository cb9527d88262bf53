package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.nio.file.Path;
import java.util.List;

/** P13. */
final class DeadHolder implements Scenario {
    private static final int CLAIMS = 10_000;
    private static final String POSTGRES = "PostgreSQL";
    private static final String SQLITE = "SQLite";

    @Override
    public String name() {
        return "P13";
    }

    @Override
    public String measures() {
        return "taking back 10,000 claims of a holder that is dead";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(POSTGRES, "ms", () -> {
                    String url = lab.server().newDatabase();
                    Outcome outcome = takenBack(lab, url);
                    lab.server().drop(url);
                    return outcome;
                }),
                new Entry(SQLITE, "ms", () -> {
                    Path folder = lab.folder();
                    Outcome outcome = takenBack(lab, folder);
                    Lab.delete(folder);
                    return outcome;
                }));
    }

    private static Outcome takenBack(Lab lab, Object store) throws Exception {
        return lab.jvm(TakingBackRun.class)
                .with("store", store)
                .with("claims", CLAIMS)
                .run();
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(1_000, POSTGRES, null), Goal.atMost(1_000, SQLITE, null));
    }
}
