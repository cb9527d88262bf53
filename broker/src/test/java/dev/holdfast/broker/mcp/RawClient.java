package dev.holdfast.broker.mcp;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.testing.McpRequest;
import java.net.http.HttpRequest;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Sends MCP messages as they are, for what no well-behaved client would send, and for many at once. */
final class RawClient implements AutoCloseable {
    private final BrokerClient caller;

    RawClient(Broker broker) {
        caller = new BrokerClient(broker);
    }

    BrokerClient caller() {
        return caller;
    }

    HttpRequest.Builder to(String path) {
        return caller.request(path).header("Content-Type", "application/json").header("Accept", "application/json");
    }

    Reply post(String path, String body) {
        return send(to(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Reply send(HttpRequest.Builder request) {
        return caller.send(request).join();
    }

    /** Calls a tool of the whole set; arguments are given as name, value, name, value, … */
    CompletableFuture<JsonNode> call(String tool, Object... arguments) {
        return caller.send(to("/mcp/all")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                McpRequest.toolCall(tool, Given.map(arguments)).json())))
                .thenApply(reply -> reply.body().at("/result/structuredContent"));
    }

    @Override
    public void close() {
        caller.close();
    }
}
