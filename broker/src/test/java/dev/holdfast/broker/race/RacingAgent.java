package dev.holdfast.broker.race;

import dev.holdfast.broker.Given;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An agent as a process of its own: takes the next item, works on it, closes it, until all is done; says each time what it
 * took and what came of it. One process for many items, as the start of a command line for each call would be most of the
 * time.
 */
final class RacingAgent {
    /** Instead of the longest work: works on an item until its input is closed. */
    static final int UNTIL_TOLD = -1;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String holder;
    private final long ttl;
    private final int longestWork;

    private RacingAgent(String url, String holder, long ttl, int longestWork) {
        this.url = url;
        this.holder = holder;
        this.ttl = ttl;
        this.longestWork = longestWork;
    }

    /** @param words the broker's address, the agent's name, its ttl in seconds, the longest work in milliseconds */
    public static void main(String... words) throws Exception {
        new RacingAgent(words[0], words[1], Long.parseLong(words[2]), Integer.parseInt(words[3])).run();
    }

    private void run() throws Exception {
        while (true) {
            JsonNode given = call("claim_next_work", "holder", holder, "ttl_seconds", ttl, "wait_seconds", 1);
            if (given.has("claim")) {
                doIt(
                        given.at("/item/id").asString(),
                        given.at("/claim/claim_generation").asLong());
            } else if (!given.has("error") && nothingIsLeft()) {
                return;
            }
        }
    }

    private void doIt(String id, long generation) throws Exception {
        System.out.println("took " + id + " " + generation);
        if (longestWork == UNTIL_TOLD) {
            System.in.readAllBytes();
        } else if (longestWork > 0) {
            // what another has begun takes longer, so that this one may come back while it is under way
            int longest = generation == 1 ? longestWork : 20 * longestWork;
            Thread.sleep(ThreadLocalRandom.current().nextInt(longest));
        }
        JsonNode answer = call("close_work", "id", id, "holder", holder, "claim_generation", generation);
        String came = answer.has("error") ? "refused" : "closed";
        System.out.println(
                came + " " + id + " " + generation + " " + answer.path("code").asString(""));
    }

    private boolean nothingIsLeft() throws Exception {
        return call("list_work", "status", "in_progress", "limit", 1)
                        .path("items")
                        .isEmpty()
                && call("ready_work", "limit", 1).path("items").isEmpty()
                && call("blocked_work", "limit", 1).path("items").isEmpty();
    }

    private JsonNode call(String verb, Object... arguments) throws IOException, InterruptedException {
        Map<String, Object> body = Given.map(arguments);
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        return JSON.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
