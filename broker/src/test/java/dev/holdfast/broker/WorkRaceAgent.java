package dev.holdfast.broker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An agent as a process of its own: takes the next item, closes it, prints its id, until all is done. One process for many
 * items, as the start of a command line for each call would be most of the time.
 */
final class WorkRaceAgent {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    private WorkRaceAgent(String url) {
        this.url = url;
    }

    public static void main(String... words) throws Exception {
        WorkRaceAgent agent = new WorkRaceAgent(words[0]);
        String holder = words[1];
        long ttl = Long.parseLong(words[2]);
        while (true) {
            JsonNode taken = agent.call("claim_next_work", "holder", holder, "ttl_seconds", ttl, "wait_seconds", 2L);
            if (taken.path("item").isNull() || taken.has("error")) {
                if (agent.call("list_work", "status", "in_progress", "limit", 1L)
                                .path("items")
                                .isEmpty()
                        && agent.call("ready_work", "limit", 1L).path("items").isEmpty()
                        && agent.call("blocked_work", "limit", 1L).path("items").isEmpty()) {
                    return;
                }
                continue;
            }
            String id = taken.at("/item/id").asString();
            JsonNode closed = agent.call(
                    "close_work",
                    "id",
                    id,
                    "holder",
                    holder,
                    "claim_generation",
                    taken.at("/claim/claim_generation").asLong());
            if (!closed.has("error")) {
                System.out.println(id);
            }
        }
    }

    private JsonNode call(String verb, Object... arguments) throws IOException, InterruptedException {
        Map<String, Object> body = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            body.put((String) arguments[i], arguments[i + 1]);
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        return JSON.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
