package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Code;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.JsonSchema;
import dev.holdfast.broker.verb.Verb;
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
        verbs.forEach(verb -> paths.put("/api/v1/" + verb.name(), Map.of("post", operation(verb))));
        paths.put("/api/v1/events", Map.of("get", events()));
        return map(
                "openapi", "3.1.1",
                "info",
                        map(
                                "title", "Holdfast",
                                "version", "1",
                                "description",
                                        "Every verb takes a JSON object and answers one. A refusal has error, for people,"
                                                + " and code, for programs. An optional field that is null counts as left"
                                                + " out. Times are ISO 8601 in UTC with milliseconds."),
                "servers", List.of(map("url", url)),
                "paths", paths,
                // nobody needs one where the broker does not ask for it
                "security", List.of(map(), map("token", List.of())),
                "components",
                        map(
                                "schemas", map("Refusal", JsonSchema.of(Answer.REFUSAL)),
                                "responses", refusals(),
                                "securitySchemes",
                                        map(
                                                "token",
                                                map(
                                                        "type", "http",
                                                        "scheme", "bearer",
                                                        "description",
                                                                "of the broker's user, if server.loopback is token; or of"
                                                                        + " a reviewer of the pool"))));
    }

    private static Map<String, @Nullable Object> operation(Verb verb) {
        Map<String, @Nullable Object> responses = new TreeMap<>();
        responses.put("200", map("description", "done", "content", json(JsonSchema.of(verb.result()))));
        statuses().keySet().forEach(status -> responses.put(status, map("$ref", "#/components/responses/" + status)));
        return map(
                "operationId", verb.name(),
                "summary", summary(verb),
                "description", verb.description(),
                "requestBody",
                        map(
                                "required", verb.arguments().stream().anyMatch(Field::required),
                                "content", json(JsonSchema.of(verb.arguments()))),
                "responses", responses,
                "x-read-only", verb.nature().readOnly(),
                "x-destructive", verb.nature().destructive(),
                "x-idempotent", verb.nature().idempotent());
    }

    /** The first sentence. */
    private static String summary(Verb verb) {
        String text = verb.description();
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }

    private static Map<String, @Nullable Object> events() {
        return map(
                "operationId",
                "events",
                "summary",
                "Events as they happen, as server-sent events",
                "parameters",
                List.of(
                        map(
                                "name", "Last-Event-ID",
                                "in", "header",
                                "description", "start after this event",
                                "schema", map("type", "integer", "minimum", 0)),
                        map(
                                "name", "after",
                                "in", "query",
                                "description", "the same, for those who cannot set headers",
                                "schema", map("type", "integer", "minimum", 0))),
                "responses",
                map(
                        "200",
                        map(
                                "description",
                                "a stream that does not end",
                                "content",
                                map("text/event-stream", map("schema", map("type", "string"))))));
    }

    private static Map<String, @Nullable Object> refusals() {
        Map<String, @Nullable Object> responses = new LinkedHashMap<>();
        statuses()
                .forEach((status, codes) -> responses.put(
                        status,
                        map(
                                "description",
                                "refused: " + codes,
                                "content",
                                json(map("$ref", "#/components/schemas/Refusal")))));
        return responses;
    }

    private static Map<String, String> statuses() {
        return Arrays.stream(Code.values())
                .collect(Collectors.groupingBy(
                        code -> Integer.toString(code.status()),
                        TreeMap::new,
                        Collectors.mapping(Code::toString, Collectors.joining(", "))));
    }

    private static Map<String, @Nullable Object> json(Map<String, @Nullable Object> schema) {
        return map("application/json", map("schema", schema));
    }

    /** A map that keeps the order in which it is written here. */
    private static Map<String, @Nullable Object> map(Object... keysAndValues) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
