package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Resource;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.testing.McpRequest;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Conflict, contention, not claimable, not found and lost are told apart at every door: by text, by code and by exit code
 * of the real command line, over REST and over MCP. On PostgreSQL, where contention can be made.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkAnswersTest {
    private final String database = TestPostgres.freshDatabase();
    private final Broker broker = Broker.start(
            Config.of(new Settings().put(Setting.DATABASE, database).put(Setting.PORT, 0L)));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterAll
    void stop() {
        http.close();
        broker.close();
    }

    /** The same question at each door. */
    private record Question(List<String> command, String verb, Map<String, Object> arguments) {
        static Question claim(String id) {
            return new Question(List.of("claim", id), "claim_work", Map.of("id", id, "holder", "bob"));
        }

        static Question close(String id, long generation) {
            return new Question(
                    List.of("work", "close", id, "--generation", Long.toString(generation)),
                    "close_work",
                    Map.of("id", id, "holder", "bob", "claim_generation", generation));
        }
    }

    /** All doors are asked at once. */
    private void assertAnswered(Question question, String code, int exitCode, int status, String text)
            throws Exception {
        Ran plain;
        Ran json;
        HttpResponse<String> rest;
        HttpResponse<String> mcp;
        try (ExecutorService doors = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> words = question.command;
            Future<Ran> typed = doors.submit(() -> as("bob", words.toArray(String[]::new)));
            Future<Ran> asJson = doors.submit(() ->
                    as("bob", Stream.concat(words.stream(), Stream.of("--json")).toArray(String[]::new)));
            Future<HttpResponse<String>> posted =
                    doors.submit(() -> post("/api/v1/" + question.verb, question.arguments));
            Future<HttpResponse<String>> called = doors.submit(() -> post(
                    "/mcp/work",
                    McpRequest.toolCall(question.verb, question.arguments).message()));
            plain = typed.get();
            json = asJson.get();
            rest = posted.get();
            mcp = called.get();
        }
        assertThat(plain.exitCode()).as(plain.err()).isEqualTo(exitCode);
        assertThat(plain.err()).startsWith("holdfast: ").contains(text);

        assertThat(json.exitCode()).isEqualTo(exitCode);
        assertThat(json.json().text("code")).isEqualTo(code);
        assertThat(json.json().text("error")).contains(text);

        assertThat(rest.statusCode()).isEqualTo(status);
        JsonObject answer = JsonObject.of(Json.read(rest.body()));
        assertThat(answer.text("code")).isEqualTo(code);
        assertThat(answer.text("error")).contains(text);

        JsonObject result = JsonObject.of(Json.read(mcp.body())).object("result");
        assertThat(result.object("structuredContent").text("code"))
                .as(mcp.body())
                .isEqualTo(code);
        assertThat(result.object("structuredContent").text("error")).contains(text);
        assertThat(result.get("isError")).as("refusals are ordinary results").isNotEqualTo(true);
    }

    private HttpResponse<String> post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(broker.url() + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private Ran as(String holder, String... words) {
        return Ran.command(Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", holder), words);
    }

    private String create(String... more) {
        String[] words = new String[more.length + 3];
        words[0] = "work";
        words[1] = "create";
        words[2] = "item";
        System.arraycopy(more, 0, words, 3, more.length);
        return as("planner", words).out().strip();
    }

    @Test
    void conflict() throws Exception {
        String id = create();
        as("ann", "claim", id);
        assertAnswered(Question.claim(id), "held", 3, 409, "is held by ann until ");
    }

    @Test
    void not_found() throws Exception {
        assertAnswered(Question.claim("hf-none"), "not_found", 4, 404, "there is no work item hf-none");
    }

    @Test
    void not_claimable() throws Exception {
        String first = create();
        String second = create("--after", first);
        assertAnswered(Question.claim(second), "not_claimable", 5, 409, "blocked: it waits for " + first);
        as("ann", "work", "close", first);
        assertAnswered(Question.claim(first), "not_claimable", 5, 409, "closed");
    }

    @Test
    void lost() throws Exception {
        String id = create();
        as("bob", "claim", id);
        broker.claims().reclaim(Resource.parse("work:" + id), 1, "taken for dead");
        as("ann", "claim", id);
        assertAnswered(Question.close(id, 1), "lost", 6, 412, "ann holds it now");
    }

    @Test
    void contention() throws Exception {
        String id = create();
        try (Connection other = TestPostgres.connect(database);
                Statement statement = other.createStatement()) {
            // what PostgreSQL says when it has waited for a row in vain, without the wait of two seconds at each
            // attempt
            statement.execute("CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN RAISE lock_not_available; END'");
            statement.execute("CREATE TRIGGER taken BEFORE UPDATE ON resources FOR EACH ROW WHEN (OLD.key = 'work:" + id
                    + "') EXECUTE FUNCTION taken()");
            assertAnswered(Question.claim(id), "busy", 7, 503, "");
            statement.execute("DROP FUNCTION taken CASCADE");
        }
        assertThat(as("bob", "claim", id).exitCode()).isZero();
    }

    @Test
    void no_broker() throws Exception {
        Ran ran = CommandProcess.run("http://127.0.0.1:1", "bob", "claim", "--next", "--json");
        assertThat(ran.exitCode()).isEqualTo(7);
        assertThat(ran.json().text("code")).isEqualTo("unreachable");
    }
}
