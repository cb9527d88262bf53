package dev.holdfast.broker.race;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls a broker that may be away, and repeats the call until it is answered: every verb bears that. */
final class PatientCaller {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI broker;

    PatientCaller(URI broker) {
        this.broker = broker;
    }

    /**
     * What was granted, or refused with a {@code code}.
     *
     * @throws IllegalStateException the answer is neither
     */
    JsonNode call(String verb, Map<String, ?> arguments) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(broker.resolve("/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20))
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(arguments)))
                .build();
        while (true) {
            try {
                HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
                JsonNode body = JSON.readTree(response.body());
                if (response.statusCode() == 200
                        || (response.statusCode() / 100 == 4
                                && !body.path("code").isMissingNode())) {
                    return body;
                }
                if (!body.path("code").asString().equals("busy")) {
                    throw new IllegalStateException(verb + " " + arguments + ": " + response.statusCode() + " " + body);
                }
            } catch (IOException _) {
                // the broker is away, or went away before it had answered
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(20, 200));
        }
    }
}
