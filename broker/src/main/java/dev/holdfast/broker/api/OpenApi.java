package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.JsonObject;
import dev.holdfast.broker.verb.JsonSchema;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusalCode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The verbs as an OpenAPI 3.1 document. */
final class OpenApi {
    private OpenApi() {}

    static Map<String, @Nullable Object> of(List<Verb> verbs, String url) {
        Map<String, @Nullable Object> paths = new LinkedHashMap<>();
        verbs.forEach(verb -> paths.put("/api/v1/" + verb.name(), JsonObject.of("post", operation(verb))));
        paths.put("/api/v1/events", JsonObject.of("get", events()));
        return JsonObject.of(
                "openapi", "3.1.1",
                "info",
                        JsonObject.of(
                                "title", "Holdfast",
                                "version", "1",
                                "description",
                                        "Every verb takes a JSON object and returns one. A refusal has error, for people,"
                                                + " and code, for programs. An optional field that is null counts as left"
                                                + " out. Times are ISO 8601 in UTC with milliseconds."),
                "servers", List.of(JsonObject.of("url", url)),
                "paths", paths,
                // optional: a broker need not require tokens
                "security", List.of(JsonObject.of(), JsonObject.of("token", List.of())),
                "components",
                        JsonObject.of(
                                "schemas", JsonObject.of("Refusal", JsonSchema.of(Refusals.properties())),
                                "responses", refusals(),
                                "securitySchemes",
                                        JsonObject.of(
                                                "token",
                                                JsonObject.of(
                                                        "type", "http",
                                                        "scheme", "bearer",
                                                        "description",
                                                                "of the broker's user, if server.loopback is token; or of"
                                                                        + " a reviewer of the pool"))));
    }

    private static Map<String, @Nullable Object> operation(Verb verb) {
        Map<String, @Nullable Object> responses = new TreeMap<>();
        responses.put("200", JsonObject.of("description", "done", "content", json(JsonSchema.of(verb.result()))));
        statuses()
                .keySet()
                .forEach(status -> responses.put(status, JsonObject.of("$ref", "#/components/responses/" + status)));
        return JsonObject.of(
                "operationId", verb.name(),
                "summary", summary(verb),
                "description", verb.description(),
                "requestBody",
                        JsonObject.of(
                                "required", verb.arguments().stream().anyMatch(Property::required),
                                "content", json(JsonSchema.of(verb.arguments()))),
                "responses", responses,
                "x-read-only", verb.effect().readOnly(),
                "x-destructive", verb.effect().destructive(),
                "x-idempotent", verb.effect().idempotent());
    }

    /** The first sentence. */
    private static String summary(Verb verb) {
        String text = verb.description();
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }

    private static Map<String, @Nullable Object> events() {
        return JsonObject.of(
                "operationId",
                "events",
                "summary",
                "Events as they happen, as server-sent events",
                "parameters",
                List.of(
                        JsonObject.of(
                                "name", "Last-Event-ID",
                                "in", "header",
                                "description", "start after this event",
                                "schema", JsonObject.of("type", "integer", "minimum", 0)),
                        JsonObject.of(
                                "name", "after",
                                "in", "query",
                                "description", "the same, for clients that cannot set headers",
                                "schema", JsonObject.of("type", "integer", "minimum", 0))),
                "responses",
                JsonObject.of(
                        "200",
                        JsonObject.of(
                                "description",
                                "a stream that does not end",
                                "content",
                                JsonObject.of(
                                        "text/event-stream",
                                        JsonObject.of("schema", JsonObject.of("type", "string"))))));
    }

    private static Map<String, @Nullable Object> refusals() {
        Map<String, @Nullable Object> responses = new LinkedHashMap<>();
        statuses()
                .forEach((status, codes) -> responses.put(
                        status,
                        JsonObject.of(
                                "description",
                                "refused: " + codes,
                                "content",
                                json(JsonObject.of("$ref", "#/components/schemas/Refusal")))));
        return responses;
    }

    private static Map<String, String> statuses() {
        return Arrays.stream(RefusalCode.values())
                .collect(Collectors.groupingBy(
                        code -> Integer.toString(code.status()),
                        TreeMap::new,
                        Collectors.mapping(RefusalCode::toString, Collectors.joining(", "))));
    }

    private static Map<String, @Nullable Object> json(Map<String, @Nullable Object> schema) {
        return JsonObject.of("application/json", JsonObject.of("schema", schema));
    }
}
