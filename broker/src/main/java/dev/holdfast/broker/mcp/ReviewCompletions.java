package dev.holdfast.broker.mcp;

import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Completes review ids while a person types, most recently changed first, and their rounds. */
record ReviewCompletions(Reviews reviews) {
    /** The most that MCP allows in an answer. */
    private static final int MAX = 100;

    private static final Set<String> IDS = Set.of("id", "review_id");

    private record Completion(List<String> values, int total, boolean hasMore) {}

    private record Completed(Completion completion) {}

    Map<String, Method> methods() {
        return Map.of("completion/complete", (params, _) -> Result.of(complete(params)));
    }

    private Completed complete(JsonNode params) {
        check(params.path("ref"));
        JsonNode argument = params.path("argument");
        if (!argument.path("name").isString() || !argument.path("value").isString()) {
            throw RpcException.invalidParams("argument needs a name and a value");
        }
        String name = argument.path("name").stringValue();
        List<String> all = IDS.contains(name)
                ? ids()
                : name.equals("n") ? rounds(params.at("/context/arguments/id").asString("")) : List.of();
        List<String> found = all.stream()
                .filter(value -> value.startsWith(argument.path("value").stringValue()))
                .toList();
        return new Completed(new Completion(found.stream().limit(MAX).toList(), found.size(), found.size() > MAX));
    }

    private static void check(JsonNode ref) {
        boolean known = switch (ref.path("type").asString("")) {
            case "ref/resource" ->
                Set.of(ReviewUri.REVIEW, ReviewUri.ROUND)
                        .contains(ref.path("uri").asString(""));
            case "ref/prompt" ->
                Set.of("propose", "review", "next").contains(ref.path("name").asString(""));
            default -> false;
        };
        if (!known) {
            throw RpcException.invalidParams("ref is neither a prompt nor a resource template of this address");
        }
    }

    private List<String> ids() {
        return reviews.catalogue().feed(ReviewFilter.ALL, new Page.Request(MAX, null)).entries().stream()
                .map(entry -> entry.review().id())
                .toList();
    }

    private List<String> rounds(String id) {
        return reviews.catalogue().find(id).map(Review::round).stream()
                .flatMapToInt(last -> IntStream.rangeClosed(1, last))
                .mapToObj(Integer::toString)
                .toList();
    }
}
