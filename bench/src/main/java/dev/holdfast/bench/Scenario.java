package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.util.List;
import java.util.function.Function;

/**
 * One row of the performance table: what runs side by side in a round, and what it must achieve.
 *
 * @param name such as {@code P1}
 * @param store whose yardstick is taken before and after each entry
 * @param entries ours, peers and limits; every round runs each of them once
 */
record Scenario(String name, String measures, Engine store, Function<Lab, List<Entry>> entries, List<Goal> goals) {
    List<Entry> entries(Lab lab) {
        return entries.apply(lab);
    }
}
