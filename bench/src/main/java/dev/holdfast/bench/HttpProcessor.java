package dev.holdfast.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Does steps over HTTP, creates a task when there is nothing to do, and finalizes the task whose last step it did. */
final class HttpProcessor {
    private static final int STEPS = 20;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String name;
    private final Stopwatch claims = new Stopwatch();
    private long first;
    private long tried;
    private long ended;
    private long steps;

    HttpProcessor(String url, String name) {
        this.url = url;
        this.name = name;
    }

    Stopwatch claims() {
        return claims;
    }

    /** How often its first attempt to claim a finalization succeeded. */
    long first() {
        return first;
    }

    /** How often it was told that its step was the last of its task. */
    long tried() {
        return tried;
    }

    long ended() {
        return ended;
    }

    long steps() {
        return steps;
    }

    /** It also ends everything that it has begun. */
    Void workUntil(long end) throws Exception {
        while (System.nanoTime() < end) {
            JsonNode given = call("claim_next_step", Map.of("holder", name));
            if (given.path("step").isNull()) {
                create();
            } else {
                complete(given);
            }
        }
        http.close();
        return null;
    }

    private void create() throws Exception {
        List<Map<String, String>> all = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            all.add(Map.of("key", "s" + i));
        }
        call("create_task", Map.of("name", "fan in", "finalizer", "external", "steps", all));
    }

    private void complete(JsonNode given) throws Exception {
        String stepId = given.at("/step/step_id").asString();
        JsonNode done = call(
                "complete_step",
                Map.of(
                        "step_id",
                        stepId,
                        "holder",
                        name,
                        "claim_generation",
                        given.path("claim_generation").asLong()));
        steps++;
        if (done.at("/task/execution_status").asString().equals("all_complete")) {
            end(given.at("/step/task_id").asString());
        }
    }

    private void end(String taskId) throws Exception {
        tried++;
        long start = System.nanoTime();
        JsonNode claim = call("claim_finalization", Map.of("task_id", taskId, "processor_id", name));
        claims.took(System.nanoTime() - start);
        if (!claim.path("claimed").asBoolean()) {
            return;
        }
        first++;
        JsonNode finished = call(
                "finish_task",
                Map.of(
                        "task_id",
                        taskId,
                        "processor_id",
                        name,
                        "claim_generation",
                        claim.path("claim_generation").asLong(),
                        "handled_seq",
                        claim.path("requested_seq").asLong()));
        if (finished.path("finished").asBoolean()) {
            ended++;
        }
    }

    private JsonNode call(String verb, Map<String, ?> arguments) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(arguments)))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 503) {
            return call(verb, arguments); // busy: ask again
        }
        if (answer.statusCode() != 200) {
            throw new IOException(verb + " was answered " + answer.statusCode() + " " + answer.body());
        }
        return JsonMapper.shared().readTree(answer.body());
    }
}
