package dev.holdfast.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What fuzzing takes for wrong. */
class JudgeTest {
    private final Learnt learnt = new Learnt();
    private final Door http = new HttpRequests(List.of(), JsonMapper.shared().createObjectNode(), learnt);
    private final Door mcp = new McpRequests(List.of(), learnt);
    private final Door hooks = new HookRequests(Path.of("/"));

    private static Door.Outcome judge(Door door, int status, String body) {
        Door.Input input = new Door.Input("POST", "/", List.of(), new byte[0], "", null);
        return door.judge(
                input, new Wire.Response(status, Map.of("content-type", "application/json"), body), new Learnt());
    }

    @Test
    void what_breaks_is_wrong_at_every_door() {
        String broken = "{\"error\":\"internal error\",\"code\":\"internal\"}";
        assertThat(judge(http, 500, broken).wrong()).isNotNull();
        assertThat(judge(mcp, 500, broken).wrong()).isNotNull();
        assertThat(judge(hooks, 500, broken).wrong()).isNotNull();
        assertThat(judge(mcp, 200, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"x\"}}")
                        .wrong())
                .isNotNull();
    }

    @Test
    void a_refusal_has_a_code_that_is_known_and_its_status() {
        assertThat(judge(http, 409, "{\"error\":\"x\",\"code\":\"held\"}"))
                .isEqualTo(new Door.Outcome("held", false, null));
        assertThat(judge(http, 409, "{\"error\":\"x\",\"code\":\"new\"}").wrong())
                .isNotNull();
        assertThat(judge(http, 409, "{\"error\":\"x\"}").wrong()).isNotNull();
        assertThat(judge(http, 503, "{\"error\":\"x\",\"code\":\"held\"}").wrong())
                .isNotNull();
    }

    @Test
    void a_tool_that_refuses_may_not_write_though_its_answer_is_a_result() {
        assertThat(judge(mcp, 200, """
                        {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "structuredContent": {"error": "x", "code": "held"}}}
                        """)).isEqualTo(new Door.Outcome("held", false, null));
    }

    @Test
    void whoever_gives_no_answer_is_noticed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Wire wire = new Wire("http://127.0.0.1:" + silent.getLocalPort(), Duration.ofMillis(50))) {
            assertThatThrownBy(() -> wire.send(new byte[] {1}, false)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void every_row_that_is_written_is_seen(@TempDir Path folder) throws Exception {
        String sqlite = "jdbc:sqlite:" + TestSqlite.in(folder).resolve("holdfast.db");
        for (String address : List.of(sqlite, TestPostgres.freshDatabase())) {
            try (WriteWatch watch = new WriteWatch(address);
                    Connection connection = DriverManager.getConnection(address);
                    Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO reservation_queues (queue) VALUES ('x')");
                assertThat(watch.written()).containsExactly("INSERT reservation_queues");
                assertThat(watch.written()).isEmpty();
                statement.execute("DELETE FROM reservation_queues WHERE queue = 'x'");
                assertThat(watch.written()).containsExactly("DELETE reservation_queues");
                connection.setAutoCommit(false);
                statement.execute("INSERT INTO reservation_queues (queue) VALUES ('y')");
                connection.rollback();
                assertThat(watch.written()).isEmpty();
            }
        }
    }
}
