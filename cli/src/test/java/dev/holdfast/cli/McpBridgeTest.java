package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Resource;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.testing.TestSqlite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bridge as a client sees it: lines in, lines out. */
@Timeout(60)
class McpBridgeTest {
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""";

    @TempDir
    Path folder;

    Broker broker;
    PrintStream in;
    BlockingQueue<String> out = new LinkedBlockingQueue<>();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CompletableFuture<ExitCode> exit;

    @BeforeEach
    void start() throws IOException {
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
        PipedInputStream input = new PipedInputStream(1 << 16);
        in = new PrintStream(new PipedOutputStream(input), true, StandardCharsets.UTF_8);
        PrintStream printed = new PrintStream(new Lines(), true, StandardCharsets.UTF_8);
        Shell shell = new Shell(
                Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "claude-3fa91c"),
                input,
                printed,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                () -> 0,
                InstantSource.system(),
                Path.of("/"));
        exit = CompletableFuture.supplyAsync(
                () -> Main.run(shell, List.of("mcp", "--tools", "all")),
                Thread.ofPlatform().daemon()::start);
    }

    @AfterEach
    void stop() {
        in.close();
        broker.close();
    }

    @Test
    void requests_that_carry_their_version_need_no_handshake() throws Exception {
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
        in.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" + meta + "}}");
        assertThat(next().object("result").text("resultType")).isEqualTo("complete");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{" + meta
                + ",\"name\":\"who\",\"arguments\":{}}}");
        assertThat(next().object("result").object("structuredContent").text("message"))
                .isEqualTo("nobody holds anything");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{" + meta
                + ",\"uri\":\"review://é\"}}");
        assertThat(next().object("error").text("message")).contains("no such review");
    }

    @Test
    void the_broker_is_told_whose_bridge_it_is() throws Exception {
        in.println(INITIALIZE);
        next();
        in.println("""
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_review","arguments":{"intent":"x",\
                "agent_type":"claude","agent_role":"proposer","phase":"1"}}}""");
        String id = String.valueOf(
                next().object("result").object("structuredContent").text("review_id"));
        in.println("""
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_review_status",\
                "arguments":{"review_id":"ID"}}}""".replace("ID", id));
        assertThat(next().object("result")
                        .object("structuredContent")
                        .object("proposer")
                        .text("agent"))
                .isEqualTo("claude-3fa91c");
    }

    @Test
    void messages_pass_and_notifications_print_nothing() throws Exception {
        in.println(INITIALIZE);
        assertThat(next().object("result").text("protocolVersion")).isEqualTo("2025-06-18");
        in.println("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
        in.println("");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");

        assertThat(next().number("id")).isEqualTo(1);
        assertEndsWithNothingMore();
    }

    @Test
    void prompts_and_resources_pass() throws Exception {
        in.println(INITIALIZE);
        assertThat(next().object("result").object("capabilities").has("prompts"))
                .isTrue();
        in.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"next\"}}");
        assertThat(Json.write(next().get("result"))).contains("claim_next_review");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}");
        assertThat(next().object("result").has("resources")).isTrue();
        in.println("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"review://x\"}}");
        assertThat(next().object("error").number("code")).isEqualTo(-32002);
        assertEndsWithNothingMore();
    }

    @Test
    void one_that_waits_holds_up_no_other_and_is_answered_after_the_input_has_ended() throws Exception {
        long generation = claim("1", "key:a", "first", 0);
        send("2", "claim", "\"resource\":\"key:a\",\"holder\":\"second\",\"wait_seconds\":30");
        await().until(() -> broker.claims().waiting(Resource.key("a")) == 1);
        in.println("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
        assertThat(next().number("id")).isEqualTo(3);
        in.close();

        Ran.command(
                Map.of("HOLDFAST_URL", broker.url()),
                "release",
                "key:a",
                "--holder",
                "first",
                "--generation",
                Long.toString(generation));

        JsonObject granted = next();
        assertThat(granted.number("id")).isEqualTo(2);
        assertThat(structured(granted).text("holder")).isEqualTo("second");
        assertThat(exit.get(10, TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
    }

    @Test
    void a_cancelled_call_is_not_answered_and_keeps_nothing() throws Exception {
        long generation = claim("1", "key:a", "first", 0);
        send("2", "claim", "\"resource\":\"key:a\",\"holder\":\"second\",\"wait_seconds\":30");
        await().until(() -> broker.claims().waiting(Resource.key("a")) == 1);
        in.println("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
        send("3", "claim", "\"resource\":\"key:a\",\"holder\":\"third\",\"wait_seconds\":30");
        await().until(() -> broker.claims().waiting(Resource.key("a")) == 2);

        send("4", "release", "\"resource\":\"key:a\",\"holder\":\"first\",\"claim_generation\":" + generation);

        assertThat(List.of(next().number("id"), next().number("id"))).containsExactlyInAnyOrder(3, 4);
        assertEndsWithNothingMore();
    }

    @Test
    void a_restarted_broker_answers_the_next_call() throws Exception {
        claim("1", "key:a", "me", 0);
        long port = URI.create(broker.url()).getPort();
        broker.close();
        send("2", "who", "\"holder\":\"me\"");
        broker = Broker.start(Config.of(new Settings()
                .put(Setting.DATA, TestSqlite.in(folder).toString())
                .put(Setting.PORT, port)));

        assertThat(structured(next()).objects("holders")).hasSize(1);
    }

    @Test
    void without_a_broker_a_call_gets_an_error_that_says_what_to_do() throws Exception {
        broker.close();
        in.println("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}");

        JsonObject answer = next();
        assertThat(answer.text("id")).isEqualTo("x");
        assertThat(answer.object("error").text("message")).contains("no broker answers at", "'holdfast serve --port ");
    }

    @Test
    void what_is_no_message_is_told_and_the_next_one_passes() throws Exception {
        in.println("hello");
        assertThat(next().object("error").number("code")).isEqualTo(-32700);
        in.println("[]");
        assertThat(next().object("error").text("message")).contains("batches");
        in.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        assertThat(next().number("id")).isEqualTo(1);
    }

    @Test
    void unknown_tools_are_refused_by_either_name_of_the_option() {
        for (String option : List.of("--tools", "--door")) {
            Ran ran = Ran.command(Map.of("HOLDFAST_URL", broker.url()), "mcp", option, "back");

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains("--tools must be coder, reviews, work, tasks or all, not 'back'");
        }
    }

    private long claim(String id, String resource, String holder, int wait) throws Exception {
        send(id, "claim", "\"resource\":\"" + resource + "\",\"holder\":\"" + holder + "\",\"wait_seconds\":" + wait);
        return Objects.requireNonNull(structured(next()).number("claim_generation"))
                .longValue();
    }

    private void send(String id, String tool, String arguments) {
        in.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":{" + arguments + "}}}");
    }

    private JsonObject next() throws Exception {
        return JsonObject.of(Json.read(Objects.requireNonNull(out.poll(30, TimeUnit.SECONDS))));
    }

    private static JsonObject structured(JsonObject answer) {
        return answer.object("result").object("structuredContent");
    }

    private void assertEndsWithNothingMore() throws Exception {
        in.close();
        assertThat(exit.get(10, TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
        assertThat(out).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** Standard output, line by line. */
    private final class Lines extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int next) {
            if (next == '\n') {
                out.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(next);
            }
        }
    }
}
