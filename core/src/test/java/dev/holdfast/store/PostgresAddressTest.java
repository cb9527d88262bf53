package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {
    @Test
    void an_address_is_read_in_its_parts() {
        PostgresAddress address =
                PostgresAddress.parse("postgres://ann:p%40ss+w%3Ard@db.example:5433/holdfast?ssl=true");
        assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:5433/holdfast?ssl=true");
        assertThat(address.credentials()).isEqualTo(Map.of("user", "ann", "password", "p@ss+w:rd"));
        assertThat(address.options()).isEmpty();
    }

    @Test
    void what_is_missing_is_as_usual() {
        assertThat(PostgresAddress.parse("postgresql://db/holdfast").jdbcUrl())
                .isEqualTo("jdbc:postgresql://db/holdfast");
        assertThat(PostgresAddress.parse("postgres:///holdfast").jdbcUrl())
                .isEqualTo("jdbc:postgresql://localhost/holdfast");
        assertThat(PostgresAddress.parse("postgres://ann@db").jdbcUrl()).isEqualTo("jdbc:postgresql://db/");
    }

    @Test
    void of_several_servers_the_one_that_takes_changes_is_meant() {
        assertThat(PostgresAddress.parse("postgres://ann:secret@one:5432,two:5433/holdfast?ssl=true")
                        .jdbcUrl())
                .isEqualTo("jdbc:postgresql://one:5432,two:5433/holdfast?ssl=true&targetServerType=primary");
        assertThat(PostgresAddress.parse("postgres://one,two/holdfast").jdbcUrl())
                .isEqualTo("jdbc:postgresql://one,two/holdfast?targetServerType=primary");
        assertThat(PostgresAddress.parse("postgres://one,two/holdfast?targetServerType=any")
                        .jdbcUrl())
                .isEqualTo("jdbc:postgresql://one,two/holdfast?targetServerType=any");
    }

    @Test
    void start_up_options_are_taken_out_to_be_joined_with_ours_and_the_patience_with_answers_is_ours() {
        PostgresAddress address = PostgresAddress.parse(
                "jdbc:postgresql://db/holdfast?options=-c+search_path%3Dteam&user=ann&socketTimeout=1&options=-c%20work_mem=7MB");
        assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db/holdfast?user=ann");
        assertThat(address.options()).isEqualTo("-c search_path=team -c work_mem=7MB");
    }

    @Test
    void no_message_shows_a_password() {
        assertThat(PostgresAddress.parse("jdbc:postgresql://db/holdfast?user=ann&password=secret&ssl=true"))
                .hasToString("postgres://db/holdfast?user=ann&password=***&ssl=true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann:secret@secret@db/holdfast",
                "postgres://ann:sec/secret@db/holdfast",
                "postgres://ann:secret%zz@db/holdfast",
                "postgres://ann:secret@db/hold fast",
                "mysql://ann:secret@db/holdfast"
            })
    void what_is_no_address_is_refused_without_showing_the_password(String address) {
        assertThatThrownBy(() -> PostgresAddress.parse(address))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("address")
                .hasMessageNotContaining("secret");
    }
}
