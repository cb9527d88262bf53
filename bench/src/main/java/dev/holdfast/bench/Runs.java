package dev.holdfast.bench;

import dev.holdfast.bench.AgentLoop.Way;
import dev.holdfast.bench.Outcome.Figure;
import java.nio.file.Path;

/** Runs in child JVMs, each on a database or folder of its own. */
final class Runs {
    private final Lab lab;

    Runs(Lab lab) {
        this.lab = lab;
    }

    /** @param most more than it will do per second, so that there are enough items */
    Figure onPostgres(Way way, int agents, int most) throws Exception {
        return onPostgres(way, agents, most, 0);
    }

    /** @param finished rows that are there already, of which nothing is left to do */
    Figure onPostgres(Way way, int agents, int most, int finished) throws Exception {
        String url = lab.server().newDatabase();
        Figure figure = agents(AgentsRun.class, way, agents, most)
                .with("store", url)
                .with("finished", finished)
                .run();
        lab.server().drop(url);
        return figure;
    }

    Figure onSqliteBeside(int finished, Way way, int agents, int most) throws Exception {
        Path folder = lab.folder();
        Figure figure = agents(AgentsRun.class, way, agents, most)
                .with("store", folder)
                .with("finished", finished)
                .run();
        Lab.delete(folder);
        return figure;
    }

    Figure onSqlite(Class<?> main, Way way, int agents, int most) throws Exception {
        Path folder = lab.folder();
        Figure figure = agents(main, way, agents, most).with("store", folder).run();
        Lab.delete(folder);
        return figure;
    }

    private ChildJvm agents(Class<?> main, Way way, int agents, int most) {
        return lab.jvm(main).with("way", way).with("agents", agents).with("rows", lab.rowsFor(most));
    }

    Figure dbScheduler() throws Exception {
        String url = lab.server().newDatabase();
        Figure figure = lab.jvm(DbSchedulerRun.class)
                .with("store", url)
                .with("rows", Math.max(90_000, lab.rowsFor(25_000)))
                .run();
        lab.server().drop(url);
        return figure;
    }
}
