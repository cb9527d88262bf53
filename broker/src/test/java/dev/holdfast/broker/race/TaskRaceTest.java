package dev.holdfast.broker.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.race.TaskRace.Size;
import dev.holdfast.store.Engine;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every task is ended, none twice, whatever dies, sleeps or restarts meanwhile. */
class TaskRaceTest {
    private static final long SEED = Long.getLong("holdfast.race.seed", 6);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @EnumSource
    void eight_processes_of_which_some_die_or_sleep_end_every_task_once(Engine engine) throws Exception {
        race(engine, new Size(8, 30, true, 3, 3, 2, Duration.ofMinutes(4)));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("heavy")
    void thirty_two_processes_of_which_many_die_or_sleep_end_a_thousand_tasks_once_each(Engine engine)
            throws Exception {
        race(engine, new Size(32, 1_000, true, 100, 80, 12, Duration.ofMinutes(30)));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("heavy")
    void who_completed_the_last_step_gets_the_claim_at_its_first_attempt(Engine engine) throws Exception {
        assertThat(race(engine, new Size(32, 1_000, false, 0, 0, 0, Duration.ofMinutes(30))))
                .isGreaterThan(0.95);
    }

    private double race(Engine engine, Size size) throws Exception {
        System.out.println(engine + ", seed " + SEED);
        try (Ground ground = Ground.on(engine);
                TaskRace race = new TaskRace(ground, size, SEED, folder)) {
            TaskRace.Outcome outcome = race.run();
            assertThat(outcome.broken()).isEmpty();
            return outcome.firstAttempts();
        }
    }
}
