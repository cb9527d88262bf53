package dev.holdfast.cli;

import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.http.Answer;
import dev.holdfast.cli.http.EventStream;
import dev.holdfast.cli.http.HttpClient;
import dev.holdfast.cli.http.HttpFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The broker's HTTP interface, {@code /api/v1}. */
final class BrokerDoor {
    static final String DEFAULT_URL = "http://127.0.0.1:8321";

    /** More than the broker itself takes for anything but waiting. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http;

    private BrokerDoor(HttpClient http) {
        this.http = http;
    }

    static BrokerDoor at(String url, @Nullable String token) {
        return at(url, token, Map.of());
    }

    /** @param headers sent with every request, to say who asks */
    static BrokerDoor at(String url, @Nullable String token, Map<String, String> headers) {
        if (token != null && token.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw Failure.invalid("HOLDFAST_TOKEN has characters that no token has; set it to the token alone");
        }
        try {
            return new BrokerDoor(new HttpClient(Address.parse(url), token, headers));
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    /** Calls a verb. The time it may take grows with the {@code wait_seconds} asked for. */
    Reply call(String verb, Map<String, ?> input) {
        Duration patience =
                input.get("wait_seconds") instanceof Number wait ? PATIENCE.plusSeconds(wait.longValue()) : PATIENCE;
        try {
            return reply(http.post("/api/v1/" + verb, Json.write(input).getBytes(StandardCharsets.UTF_8), patience));
        } catch (HttpFailure e) {
            throw failure(e);
        }
    }

    /** The description of all verbs. */
    Reply openapi() {
        try {
            return reply(http.get("/api/v1/openapi.json", PATIENCE));
        } catch (HttpFailure e) {
            throw failure(e);
        }
    }

    /** The client itself, for what is no verb. */
    HttpClient http() {
        return http;
    }

    EventStream events(@Nullable String lastEventId, Duration silence) throws HttpFailure {
        return http.events("/api/v1/events", lastEventId, silence);
    }

    Reply reply(Answer answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        try {
            if (Json.read(text) instanceof Map<?, ?> members) {
                boolean accepted = answer.status() >= 200 && answer.status() < 300;
                return new Reply(accepted, text, new JsonObject(members), answer.header("Date"));
            }
        } catch (NotJsonException e) {
            throw notABroker("status " + answer.status() + ", not JSON", e);
        }
        throw notABroker("status " + answer.status() + ", no JSON object", null);
    }

    Failure failure(HttpFailure e) {
        return switch (e.kind()) {
            case NO_CONNECTION ->
                Failure.unreachable(
                        "no broker answers at " + http.address() + " (" + e.getMessage()
                                + "). Start one with './holdfast serve', or say where it is with --url or HOLDFAST_URL.",
                        e);
            case NO_ANSWER ->
                Failure.unanswered(
                        "the broker at " + http.address() + " did not answer (" + e.getMessage()
                                + "). What was asked for may have been done: look with 'holdfast who' before asking again.",
                        e);
            case NOT_HTTP -> notABroker(String.valueOf(e.getMessage()), e);
        };
    }

    private Failure notABroker(String why, @Nullable Throwable cause) {
        return Failure.failed(
                http.address() + " does not answer as a Holdfast broker does (" + why
                        + "). Is something else on this port? Say where the broker is with --url or HOLDFAST_URL.",
                cause);
    }
}
