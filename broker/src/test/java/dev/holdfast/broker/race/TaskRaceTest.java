package dev.holdfast.broker.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.race.TaskRace.Size;
import dev.holdfast.store.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    void six_processes_of_which_some_die_or_sleep_end_every_task_once(Engine engine) throws Exception {
        race(engine, new Size(6, 12, true, 2, 2, 1, Duration.ofMinutes(4)));
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

    @Test
    @Tag("heavy")
    void without_the_look_at_the_sequence_the_checker_objects() throws Exception {
        try (Ground ground = Ground.on(Engine.POSTGRES);
                TaskRace race =
                        new TaskRace(ground, new Size(8, 40, true, 0, 0, 0, Duration.ofMinutes(4)), SEED, folder)) {
            leaveOut(
                    ground.database(),
                    "finish_task(text, text, bigint, bigint, text)",
                    "coalesce(p_handled_seq, v_task.told_seq) <> v_counters.requested_seq");
            assertThat(race.run().broken())
                    .anyMatch(wrong -> wrong.startsWith("ended without having seen all results"));
        }
    }

    private static void leaveOut(String database, String function, String condition) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet text =
                        statement.executeQuery("SELECT pg_get_functiondef('" + function + "'::regprocedure)")) {
            text.next();
            String whole = text.getString(1);
            assertThat(whole).containsOnlyOnce(condition);
            statement.execute(whole.replace(condition, "false"));
        }
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
