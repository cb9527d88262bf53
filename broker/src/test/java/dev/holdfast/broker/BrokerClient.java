package dev.holdfast.broker;

import dev.holdfast.testing.McpRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a broker under test. */
public final class BrokerClient implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** What the first broker said; all say the same, and each takes longer to write it than many a test. */
    private static final AtomicReference<@Nullable JsonNode> DESCRIPTION = new AtomicReference<>();

    private final String url;
    private final @Nullable String token;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final JsonNode openApi;

    public BrokerClient(Broker broker) {
        this(broker.url());
    }

    public BrokerClient(String url) {
        this(url, null);
    }

    /** @param token sent with every call */
    public BrokerClient(String url, @Nullable String token) {
        this.url = url;
        this.token = token;
        JsonNode known = DESCRIPTION.get();
        openApi = known == null ? description() : known;
    }

    private JsonNode description() {
        Reply reply = get("/api/v1/openapi.json");
        if (reply.status() == 200) {
            DESCRIPTION.set(reply.body());
        }
        return reply.body();
    }

    public record Reply(int status, JsonNode body, HttpResponse<String> raw) {
        public String text(String field) {
            return body.path(field).asString();
        }

        public long generation() {
            return body.path("claim_generation").asLong();
        }
    }

    /** Calls a verb with arguments given as name, value, name, value, … */
    public Reply call(String verb, Object... arguments) {
        return start(verb, arguments).join();
    }

    /** The same, without waiting for the answer. */
    public CompletableFuture<Reply> start(String verb, Object... arguments) {
        return send(post(verb, MAPPER.writeValueAsString(Given.map(arguments))))
                .thenApply(reply -> checked(verb, reply));
    }

    /** Every result in every test must be as OpenAPI says it is. */
    private Reply checked(String verb, Reply reply) {
        String where = reply.status() == 200
                ? "/paths/~1api~1v1~1" + verb + "/post/responses/200/content/application~1json/schema"
                : "/components/schemas/Refusal";
        ResultSchema.check(openApi.at(where), reply.body(), verb);
        return reply;
    }

    /** Sends a body as it is. */
    public Reply raw(String verb, String body) {
        return send(post(verb, body)).join();
    }

    /** The answer to a request at {@code /mcp}. */
    public JsonNode mcp(McpRequest message) {
        return send(request("/mcp")
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(message.json())))
                .join()
                .body();
    }

    /** Asks a second time if a connection that was kept open turns out to be closed, as browsers do. */
    public Reply get(String path) {
        return send(request(path).GET())
                .exceptionallyCompose(_ -> send(request(path).GET()))
                .join();
    }

    public HttpRequest.Builder post(String verb, String body) {
        return request("/api/v1/" + verb)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    public CompletableFuture<Reply> send(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(response -> {
            boolean json =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
            JsonNode body =
                    json && !response.body().isEmpty() ? MAPPER.readTree(response.body()) : MAPPER.createObjectNode();
            return new Reply(response.statusCode(), body, response);
        });
    }

    public HttpClient http() {
        return client;
    }

    /** How many events there are, besides those of brokers' own identities. */
    public long events() {
        return StreamSupport.stream(
                        call("get_events", "limit", 1000).body().path("events").spliterator(), false)
                .filter(event -> !event.path("resource").asString().startsWith("broker:"))
                .count();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
