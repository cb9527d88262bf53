package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;

/** Runs in child JVMs, each on its own database or folder. */
record Runs(Lab lab) {
    /** @param max more per second than it will do, so that there are enough items */
    Figure onPostgres(Way way, int agents, int max) throws Exception {
        return onPostgres(way, agents, max, 0);
    }

    /** @param finished how many finished rows are there from the start */
    Figure onPostgres(Way way, int agents, int max, int finished) throws Exception {
        return lab.onPostgres(agents(AgentsRun.class, way, agents, max).with("finished", finished));
    }

    Figure onSqliteBeside(int finished, Way way, int agents, int max) throws Exception {
        return lab.onSqlite(agents(AgentsRun.class, way, agents, max).with("finished", finished));
    }

    Figure onSqlite(Class<?> main, Way way, int agents, int max) throws Exception {
        return lab.onSqlite(agents(main, way, agents, max));
    }

    private ChildJvm agents(Class<?> main, Way way, int agents, int max) {
        return lab.jvm(main).with("way", way).with("agents", agents).with("rows", lab.rowsFor(max));
    }

    /** What the statement of the engine would allow, on two connections that share the agents' calls. */
    Figure statementAlone(Way way, int agents, int max) throws Exception {
        return lab.onPostgres(lab.jvm(StatementRun.class)
                .with("fused", way == Way.FUSED)
                .with("connections", 2)
                .with("calls", agents / 2)
                .with("rows", lab.rowsFor(max)));
    }

    Figure dbScheduler() throws Exception {
        return lab.onPostgres(lab.jvm(DbSchedulerRun.class).with("rows", Math.max(90_000, lab.rowsFor(25_000))));
    }
}
