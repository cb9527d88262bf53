package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import java.util.List;

/** P3. */
final class LoneAgent {
    private static final String BY_NAME = "holdfast, claim by name";
    private static final String NEXT = "holdfast, claim-next";
    private static final String LIMIT = "raw claim of one row";

    static final List<Goal> GOALS = List.of(Goal.atMost(1.35, BY_NAME, LIMIT), Goal.atMost(1.35, NEXT, LIMIT));

    private LoneAgent() {}

    static List<Entry> entries(Lab lab) {
        Runs runs = new Runs(lab);
        return List.of(
                new Entry(BY_NAME, "us", () -> runs.onPostgres(Way.NAME_TIMED, 1, 10_000)),
                new Entry(LIMIT, "us", new RawClaims(lab)::oneRow),
                new Entry(NEXT, "us", () -> runs.onPostgres(Way.NEXT_TIMED, 1, 10_000)));
    }
}
