package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testing.TestPostgres;
import org.junit.jupiter.api.Test;

class PostgresStoreTest {
    @Test
    void a_database_of_a_newer_program_is_refused() {
        String database = TestPostgres.freshDatabase();
        TestPostgres.execute(
                database,
                "INSERT INTO schema_history (installed_rank, version, description, type, script, installed_by,"
                        + " execution_time, success) VALUES (999, '999', 'future', 'SQL', 'V999__future.sql', 'x', 0, true)");
        assertThatThrownBy(() -> PostgresStore.open(database))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer Holdfast")
                .hasMessageContaining("999");
    }

    @Test
    void an_empty_database_is_filled_and_can_be_opened_again() {
        String database = TestPostgres.emptyDatabase();
        PostgresStore.open(database).close();
        PostgresStore.open(database).close();
    }
}
