package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.util.List;

/** One row of the performance table: what is run side by side in a round, and what must come of it. */
interface Scenario {
    /** Such as {@code P1}. */
    String name();

    String measures();

    /** Whose yardstick is taken before and after each entry. */
    Engine store();

    /** Ours, peers and limits; every round runs each of them once. */
    List<Entry> entries(Lab lab);

    List<Goal> goals();
}
