package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
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

    @Test
    void a_lone_change_that_is_refused_leaves_the_connection_as_it_was() {
        Sql refused = Sql.of("INSERT INTO events (at) VALUES (now())");
        Sql accepted = Sql.of("INSERT INTO events (at, type, resource, origin) VALUES (now(), 'claimed', 'key:1', 0)");
        try (PostgresStore store = PostgresStore.open(TestPostgres.freshDatabase(), 1)) {
            assertThatThrownBy(() -> change(store, refused)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> change(store, accepted, refused))
                    .as("a transaction of both")
                    .isInstanceOf(StoreException.class);
            assertThat(events(store)).isZero();
            change(store, accepted);
            assertThat(events(store)).isOne();
        }
    }

    private static void change(PostgresStore store, Sql... changes) {
        store.write(transaction -> {
            for (Sql one : changes) {
                transaction.change(one, _ -> {});
            }
            return true;
        });
    }

    private static long events(PostgresStore store) {
        return store.read(transaction -> transaction.first(
                        Sql.of("SELECT count(*) AS events FROM events"), _ -> {}, row -> row.number("events")))
                .orElseThrow();
    }
}
