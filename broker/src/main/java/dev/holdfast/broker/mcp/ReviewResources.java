package dev.holdfast.broker.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.holdfast.agent.Caller;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.mcp.Method.Result;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.ReviewCatalogue.FeedEntry;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.store.UnstorableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reviews as resources, for people who point their agent at one: listing, most recently changed first, and reading. */
record ReviewResources(Reviews reviews, ReviewPages pages, Callers callers) {
    private static final int LISTED = 50;
    private static final int LONGEST_TITLE = 100;
    private static final String TEXT = "text/plain";

    private static final Templates TEMPLATES = new Templates(List.of(
            new Template(ReviewUri.REVIEW, "review", "A review", "its status, description and rounds", TEXT),
            new Template(
                    ReviewUri.ROUND,
                    "round",
                    "A round of a review",
                    "its diff, the verdicts on it, the messages about it. With ?reviewer_id=NAME it counts as read by NAME, if NAME has claimed it",
                    TEXT)));

    private record Template(String uriTemplate, String name, String title, String description, String mimeType) {}

    private record Templates(List<Template> resourceTemplates) {}

    private record Annotations(String lastModified) {}

    private record Resource(
            String uri, String name, String title, String description, String mimeType, Annotations annotations) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Listed(
            List<Resource> resources, @Nullable String nextCursor) {}

    private record Contents(String uri, String mimeType, String text) {}

    private record Read(List<Contents> contents) {}

    Map<String, Method> methods() {
        return Map.of(
                "resources/list", (params, _) -> Result.of(list(params)),
                "resources/templates/list", (_, _) -> Result.of(TEMPLATES),
                "resources/read", this::read);
    }

    private Listed list(JsonNode params) {
        Page<FeedEntry> page = reviews.catalogue()
                .feed(
                        ReviewFilter.ALL,
                        new Page.Request(
                                LISTED, params.path("cursor").asStringOpt().orElse(null)));
        return new Listed(
                page.entries().stream().map(entry -> listed(entry.review())).toList(), page.next());
    }

    private static Resource listed(Review review) {
        return new Resource(
                ReviewUri.of(review.id()).toString(),
                "review " + review.id(),
                title(review.intent()),
                review.status() + ", round " + review.round(),
                TEXT,
                new Annotations(review.updatedAt().toString()));
    }

    /** One line for a list. */
    private static String title(String intent) {
        String line = intent.strip().replaceAll("\\s+", " ");
        return line.codePointCount(0, line.length()) <= LONGEST_TITLE
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST_TITLE)) + "…";
    }

    private Result read(JsonNode params, Origin origin) {
        if (!params.path("uri").isString()) {
            throw RpcException.invalidParams("uri is missing or not text");
        }
        String uri = params.path("uri").stringValue();
        ReviewUri address = ReviewUri.read(uri)
                .orElseThrow(() -> new ResourceNotFoundException(
                        uri, "resources are " + ReviewUri.REVIEW + " and " + ReviewUri.ROUND));
        String reader = callers.reader(address.reviewer(), origin.authorization());
        Supplier<Caller> by = () -> callers.caller(origin);
        Optional<String> text;
        try {
            text = address.round() == null
                    ? pages.review(address.id(), reader, by)
                    : pages.round(address.id(), address.round(), reader, by);
        } catch (RefusedException | UnstorableException e) { // no such round, or an impossible id
            throw new ResourceNotFoundException(uri, String.valueOf(e.getMessage()));
        }
        return Result.of(new Read(List.of(new Contents(
                uri, TEXT, text.orElseThrow(() -> new ResourceNotFoundException(uri, "no such review"))))));
    }
}
