package dev.holdfast.event;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventTailRaceTest {
    @Test
    @Timeout(120)
    void followers_miss_nothing_among_rollbacks_long_transactions_and_two_phases() throws Exception {
        new EventTailRace(1, 2, 150).run();
        new EventTailRace(2, 3, 100).run();
        new EventTailRace(3, 12, 40).run();
    }

    @Test
    @Tag("heavy")
    @Timeout(3_600)
    void followers_miss_nothing_in_a_hundred_long_races() throws Exception {
        for (int seed = 100; seed < 200; seed++) {
            new EventTailRace(seed, 2 + seed % 12, 150).run();
        }
    }
}
