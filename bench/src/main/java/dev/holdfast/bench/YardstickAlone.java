package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.Engine;
import java.util.List;

/** Measures the yardsticks themselves: how noisy the machine is. */
final class YardstickAlone {
    private YardstickAlone() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry("PostgreSQL, 8 connections", "commits/s", () -> of(lab, Engine.POSTGRES)),
                new Entry("SQLite, one connection", "commits/s", () -> of(lab, Engine.SQLITE)));
    }

    private static Outcome of(Lab lab, Engine store) throws Exception {
        return Figure.of(lab.yardstick(store).measure());
    }
}
