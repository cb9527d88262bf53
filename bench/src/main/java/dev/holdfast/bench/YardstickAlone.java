package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.Engine;
import java.util.List;

/** The yardsticks themselves: how noisy the machine is. */
final class YardstickAlone implements Scenario {
    @Override
    public String name() {
        return "yardstick";
    }

    @Override
    public String measures() {
        return "durable one-row updates on 8 PostgreSQL connections, and on one of SQLite";
    }

    @Override
    public Engine store() {
        return Engine.POSTGRES;
    }

    @Override
    public List<Entry> entries(Lab lab) {
        return List.of(
                new Entry("PostgreSQL, 8 connections", "commits/s", () -> of(lab, Engine.POSTGRES)),
                new Entry("SQLite, one connection", "commits/s", () -> of(lab, Engine.SQLITE)));
    }

    private static Outcome of(Lab lab, Engine store) throws Exception {
        return Figure.of(lab.yardstick(store).measure());
    }

    @Override
    public List<Goal> goals() {
        return List.of();
    }
}
