package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresReadingTest extends ReadingContract {
    private final String database = TestPostgres.freshDatabase();

    @Override
    protected Settings store() {
        return new Settings().put(Setting.DATABASE, database);
    }

    @Test
    void while_no_receipt_can_be_kept_the_answer_is_busy_and_not_the_content() throws SQLException {
        String id = claimed();
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM resources WHERE key = 'review:" + id + "' FOR UPDATE");
            Reply shown = caller.call("get_proposal", "review_id", id, "caller_id", "ann");
            assertThat(shown.status()).isEqualTo(503);
            assertThat(shown.text("code")).isEqualTo("busy");
            assertThat(shown.body().has("diff")).isFalse();
            connection.rollback();
        }
        caller.call("get_proposal", "review_id", id, "caller_id", "ann");
        assertThat(approve(id).text("status")).isEqualTo("approved");
    }
}
