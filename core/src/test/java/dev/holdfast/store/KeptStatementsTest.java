package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class KeptStatementsTest {
    private static final int MANY = 3 * KeptStatements.MAX;

    @Test
    void texts_without_end_do_not_pile_up() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            KeptStatements kept = new KeptStatements(connection, Engine.SQLITE);
            PreparedStatement first = kept.of(Sql.composed("SELECT 'first'")).statement();
            for (int i = 0; i < MANY; i++) {
                kept.of(Sql.composed("SELECT " + i));
            }
            assertThat(kept.size()).isEqualTo(KeptStatements.MAX);
            assertThat(first.isClosed()).isTrue();
        }
    }

    @Test
    void a_statement_in_use_is_prepared_once_however_many_others_come_and_go() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            KeptStatements kept = new KeptStatements(connection, Engine.SQLITE);
            PreparedStatement used = kept.of(Sql.composed("SELECT 'used'")).statement();
            for (int i = 0; i < MANY; i++) {
                kept.of(Sql.composed("SELECT " + i));
                assertThat(kept.of(Sql.composed("SELECT 'used'")).statement()).isSameAs(used);
            }
        }
    }
}
