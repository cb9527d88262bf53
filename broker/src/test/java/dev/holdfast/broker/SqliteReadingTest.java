package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class SqliteReadingTest extends ReadingContract {
    @Test
    void nothing_is_shown_whose_receipt_cannot_be_kept() throws SQLException {
        String id = claimed();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TRIGGER no_receipts BEFORE INSERT ON receipts
                    BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END
                    """);
        }
        Reply shown = caller.call("get_proposal", "review_id", id, "caller_id", "ann");
        assertThat(shown.status()).isEqualTo(500);
        assertThat(shown.body().has("diff")).isFalse();
        assertThat(caller.call("get_proposal", "review_id", id).status())
                .as("who is nobody gets no receipt, and so the content")
                .isEqualTo(200);
    }
}
