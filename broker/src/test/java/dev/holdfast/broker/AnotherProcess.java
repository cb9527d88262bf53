package dev.holdfast.broker;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process that calls a broker when it is told to, itself or by a child of its own. */
public record AnotherProcess(URI broker, Relay relay, int depth) implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** How many children down the one that calls is. */
    public static AnotherProcess calling(Broker broker) throws IOException {
        return new AnotherProcess(URI.create(broker.url()), new Relay(), 0);
    }

    /** What a process says that this one has started. */
    public AnotherProcess child() {
        return new AnotherProcess(broker, relay, depth + 1);
    }

    public long pid() throws IOException {
        return relay.pid(depth);
    }

    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.path(field).asString();
        }

        public String code() {
            return body.path("code").asString("");
        }
    }

    /** Calls a verb with arguments given as name, value, name, value, … */
    public Answer call(String verb, Object... arguments) throws IOException {
        return post("/api/v1/" + verb, Map.of(), MAPPER.writeValueAsString(Given.map(arguments)));
    }

    /** In HTTP/1.0, whose answers end with the connection. */
    public Answer post(String path, Map<String, String> headers, String body) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "Host", broker.getAuthority(),
                "Content-Type", "application/json",
                "Content-Length", Integer.toString(body.getBytes(StandardCharsets.UTF_8).length)));
        all.putAll(headers);
        StringBuilder request = new StringBuilder("POST " + path + " HTTP/1.0\r\n");
        all.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        request.append("\r\n").append(body);
        String answer =
                relay.exchange(depth, broker.getPort(), request.toString().getBytes(StandardCharsets.UTF_8));
        int head = answer.indexOf("\r\n\r\n");
        return new Answer(
                Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())),
                MAPPER.readTree(answer.substring(head + 4)));
    }

    /** As {@code kill -9}. */
    public void kill() throws InterruptedException {
        relay.kill();
    }

    @Override
    public void close() {
        relay.close();
    }
}
