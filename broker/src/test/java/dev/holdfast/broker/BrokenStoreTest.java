package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Caller.Reply;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokenStoreTest {
    @TempDir
    Path folder;

    @Test
    void what_breaks_inside_is_told_by_an_id_and_not_by_a_stack_trace() throws SQLException {
        try (Broker broker = Broker.start(Config.in(folder));
                Caller caller = new Caller(broker)) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE agents");
            }

            Reply reply = caller.call("list_agents");

            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text("code")).isEqualTo("internal");
            assertThat(reply.text("error")).contains(reply.text("id"));
            assertThat(reply.raw().body()).doesNotContain("dev.holdfast", "SQL", "agents");
            assertThat(caller.get("/readyz").status()).isEqualTo(503);
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
        }
    }
}
