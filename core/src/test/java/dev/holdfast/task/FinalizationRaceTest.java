package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.ChangedSource;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every task ends once, by somebody who had seen all results; and without the look at the sequence it does not. */
class FinalizationRaceTest {
    private static final int LONG_ENOUGH_FOR_A_MUTANT = 60;

    @TempDir
    Path classes;

    @ParameterizedTest
    @EnumSource
    void every_task_is_ended_once_by_somebody_who_has_seen_all_its_results(Engine engine) throws Exception {
        try (TestStore store = TestStore.settable(engine)) {
            assertThat(FinalizationRace.run(store, Duration.ofMinutes(4))).isEmpty();
        }
    }

    @Test
    void without_the_look_at_the_sequence_the_race_on_sqlite_notices() throws Exception {
        assertThat(new ChangedSource(
                                "task/LockedTask.java", Map.of("handled != counters.requestedSeq()", "handled < 0"))
                        .objection(
                                classes,
                                FinalizationRace.OnSqlite.class,
                                List.of(Integer.toString(LONG_ENOUGH_FOR_A_MUTANT))))
                .hasValueSatisfying(wrong -> assertThat(wrong).startsWith("ended by somebody who had seen"));
    }

    @Test
    void without_the_look_at_the_sequence_the_race_on_postgres_notices() throws Exception {
        assertThat(FinalizationRace.firstViolation(
                        FinalizationRaceTest::withoutTheLookAtTheSequence,
                        Duration.ofSeconds(LONG_ENOUGH_FOR_A_MUTANT)))
                .hasValueSatisfying(wrong -> assertThat(wrong).startsWith("ended by somebody who had seen"));
    }

    private static TestStore withoutTheLookAtTheSequence() {
        TestStore store = TestStore.settable(Engine.POSTGRES);
        String whole = store.store()
                .read(transaction -> transaction
                        .first(
                                Sql.of(
                                        "SELECT pg_get_functiondef(oid) AS text FROM pg_proc"
                                                + " WHERE proname = 'finish_task' AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')"),
                                _ -> {},
                                row -> row.text("text"))
                        .orElseThrow());
        String check = "coalesce(p_handled_seq, v_task.told_seq) <> v_counters.requested_seq";
        assertThat(whole).containsOnlyOnce(check);
        TestPostgres.execute(Objects.requireNonNull(store.address()), whole.replace(check, "false"));
        return store;
    }
}
