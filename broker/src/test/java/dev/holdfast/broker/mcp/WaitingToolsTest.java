package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.Resource;
import dev.holdfast.testing.McpRequest;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tools that wait hold nobody up, and what they are granted reaches somebody. */
class WaitingToolsTest {
    private static final int MANY = 500;

    @TempDir
    Path folder;

    Broker broker;
    RawClient client;

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
        client = new RawClient(broker);
    }

    @AfterEach
    void stop() {
        client.close();
        broker.close();
    }

    @Test
    void five_hundred_wait_at_once_while_others_are_answered_and_each_gets_its_own() {
        List<CompletableFuture<JsonNode>> waiting = IntStream.range(0, MANY)
                .mapToObj(i -> client.call("claim_next", "kind", "work", "holder", "agent-" + i, "wait_seconds", 55))
                .toList();
        await().until(() -> broker.claims().waiting(Kind.WORK) == MANY);

        assertThat(client.call("claim", "resource", "key:other", "holder", "busy")
                        .join()
                        .path("holder")
                        .asString())
                .isEqualTo("busy");
        for (int i = 0; i < MANY; i++) {
            broker.claims().create(NewResource.of(new Resource(Kind.WORK, "item-" + i)));
        }

        assertThat(waiting.stream()
                        .map(CompletableFuture::join)
                        .map(answer -> answer.path("resource").asString()))
                .doesNotHaveDuplicates()
                .hasSize(MANY)
                .allMatch(resource -> resource.startsWith("work:item-"));
    }

    @Test
    void what_is_granted_to_a_client_that_has_gone_goes_to_the_next() throws IOException {
        JsonNode held =
                client.call("claim", "resource", "key:one", "holder", "first").join();
        URI url = URI.create(broker.url());
        try (Socket gone = new Socket(url.getHost(), url.getPort())) {
            String body = McpRequest.toolCall(
                            "claim", Map.of("resource", "key:one", "holder", "gone", "wait_seconds", 30))
                    .json();
            gone.getOutputStream()
                    .write(("POST /mcp/work HTTP/1.1\r\nHost: " + url.getAuthority()
                                    + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream"
                                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> broker.claims().waiting(Resource.key("one")) == 1);
        }
        CompletableFuture<JsonNode> patient =
                client.call("claim", "resource", "key:one", "holder", "patient", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Resource.key("one")) == 2);

        client.call(
                        "release",
                        "resource",
                        "key:one",
                        "holder",
                        "first",
                        "claim_generation",
                        held.path("claim_generation").asLong())
                .join();

        assertThat(patient.join().path("holder").asString()).isEqualTo("patient");
    }
}
