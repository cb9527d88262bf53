package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.testing.TestRepository;
import dev.holdfast.testing.TestSqlite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that its hook has told of is the same one in every call, and means the repository that it is in. */
@Timeout(120)
class OneIdentityTest {
    @TempDir
    Path folder;

    Broker broker;
    BrokerClient caller;
    HttpClient http;
    String agent;

    @BeforeAll
    static void needsLinux() {
        assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "only Linux tells whose connection it is");
    }

    @BeforeEach
    void startAndTellOfTheSession() throws Exception {
        broker = Broker.start(Config.in(TestSqlite.in(folder.resolve("data"))));
        http = HttpClient.newHttpClient();
        TestRepository repository = TestRepository.in(folder.resolve("Web-Shop"));
        repository.write("a.txt", "a\n");
        repository.commitAll("first");
        HttpResponse<String> started = http.send(
                HttpRequest.newBuilder(URI.create(broker.url() + "/hooks/claude"))
                        .header("Content-Type", "application/json")
                        .header(
                                "Holdfast-Pid",
                                Long.toString(ProcessHandle.current().pid()))
                        .header("Holdfast-Host", Machine.here().name())
                        .header("Holdfast-Space", Machine.here().space())
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"hook_event_name\": \"SessionStart\", \"session_id\": \"s-1\", \"source\": \"startup\","
                                        + " \"cwd\": \"" + repository.folder() + "\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        agent = started.body().replaceAll("(?s).*your agent id is ([A-Za-z0-9._-]*);.*", "$1");
        caller = new BrokerClient(broker);
    }

    @AfterEach
    void stop() {
        caller.close();
        http.close();
        broker.close();
    }

    @Test
    void a_session_that_it_starts_besides_is_the_one_that_its_hook_told_of() {
        Reply same = caller.call("start_session", "session_id", "made up", "kind", "claude");
        assertThat(same.text("holder")).isEqualTo(agent);
        assertThat(same.body().path("already_known").asBoolean()).isTrue();
        assertThat(same.body().path("repository").asString()).isEqualTo("webshop");
        assertThat(caller.call("start_session", "session_id", "child", "kind", "claude", "parent", agent)
                        .text("holder"))
                .as("a subagent says whose it is")
                .isNotEqualTo(agent);
        assertThat(caller.call("start_session", "session_id", "other", "kind", "person")
                        .text("holder"))
                .isNotEqualTo(agent);
    }

    @Test
    void what_its_calls_leave_out_is_itself_and_its_repository() {
        assertThat(caller.call("claim", "resource", "key:deploy").text("holder"))
                .isEqualTo(agent);
        Reply made = caller.call("create_work", "title", "Mend it");
        assertThat(made.body().at("/item/queue").asString()).isEqualTo("webshop");
        caller.call("create_work", "title", "Elsewhere", "queue", "api");
        assertThat(caller.call("list_work").body().path("items")).hasSize(1);
        assertThat(caller.call("list_work", "queue", "*").body().path("items")).hasSize(2);
        assertThat(caller.call("claim_next_work").body().at("/claim/holder").asString())
                .isEqualTo(agent);
        Reply review = caller.call("create_review", "intent", "a plan", "description", "do it");
        assertThat(review.text("project")).isEqualTo("webshop");
        assertThat(caller.call("list_reviews")
                        .body()
                        .at("/reviews/0/agent_type")
                        .asString())
                .isEqualTo(agent);
    }

    @Test
    void one_word_says_who_calls_also_where_the_predecessors_clients_have_another() {
        String id = caller.call("create_review", "intent", "a plan", "description", "do it", "holder", "ann")
                .text("review_id");
        Reply claimed = caller.call("claim_review", "review_id", id, "holder", "bob");
        assertThat(claimed.text("code"))
                .as("the proposer is known by its process: " + claimed.body())
                .isEqualTo("forbidden");
    }

    @Test
    void a_model_is_told_at_the_start_who_it_is() throws Exception {
        HttpResponse<String> hello = http.send(
                HttpRequest.newBuilder(URI.create(broker.url() + "/mcp/work"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {\"protocolVersion\":"
                                                + " \"2025-11-25\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"x\", \"version\": \"1\"}}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(hello.body())
                .contains("You are already known here as " + agent, "Your repository is known here as webshop");
    }

    @Test
    void discovery_tells_it_too_and_such_an_answer_is_kept_for_nobody() throws Exception {
        HttpResponse<String> discovered = http.send(
                HttpRequest.newBuilder(URI.create(broker.url() + "/mcp/work"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "server/discover")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"server/discover\", \"params\": {\"_meta\":"
                                        + " {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\","
                                        + " \"io.modelcontextprotocol/clientCapabilities\": {}}}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(discovered.body())
                .contains("You are already known here as " + agent, "Your repository is known here as webshop")
                .contains("\"ttlMs\":0,\"cacheScope\":\"private\"");
    }
}
