package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokenStoreTest {
    @TempDir
    Path folder;

    @Test
    void what_breaks_inside_is_told_by_an_id_and_not_by_a_stack_trace() throws Exception {
        try (Broker broker = Broker.start(Config.in(folder));
                BrokerClient caller = new BrokerClient(broker)) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE agents");
            }

            Reply reply = caller.call("list_agents");

            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text("code")).isEqualTo("internal");
            assertThat(reply.text("error")).contains(reply.text("id"));
            assertThat(reply.raw().body()).doesNotContain("dev.holdfast", "SQL", "agents");
            HttpResponse<String> page = OutageTest.page(broker, "/agents", "");
            assertThat(page.statusCode()).isEqualTo(500);
            assertThat(page.body())
                    .contains("The broker cannot show this page now", "internal error; see the broker's log for ")
                    .doesNotContain("dev.holdfast", "SQL");
            assertThat(caller.get("/readyz").status()).isEqualTo(503);
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
        }
    }
}
