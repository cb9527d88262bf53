package dev.holdfast.broker.mcp;

import dev.holdfast.broker.auth.Callers;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.Catalogue.FeedEntry;
import dev.holdfast.review.Page;
import dev.holdfast.review.Review;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.Wanted;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ListResourceTemplatesResult;
import io.modelcontextprotocol.spec.McpSchema.ListResourcesResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reviews as resources, for people who point their agent at one: listed, the last changed first, and read. */
final class ReviewResources {
    private static final int LISTED = 50;
    private static final int LONGEST_TITLE = 100;
    private static final String TEXT = "text/plain";

    private static final ListResourceTemplatesResult TEMPLATES = ListResourceTemplatesResult.builder(List.of(
                    ResourceTemplate.builder(ReviewAddress.REVIEW, "review")
                            .title("A review")
                            .description("how it stands, what it is about, which rounds it has")
                            .mimeType(TEXT)
                            .build(),
                    ResourceTemplate.builder(ReviewAddress.ROUND, "round")
                            .title("A round of a review")
                            .description(
                                    "its diff, the verdicts on it, the messages about it. With ?reviewer_id=NAME it counts as read by NAME, if NAME has claimed it")
                            .mimeType(TEXT)
                            .build()))
            .build();

    private final Reviews reviews;
    private final ReviewPages pages;
    private final Callers callers;

    ReviewResources(Reviews reviews, ReviewPages pages, Callers callers) {
        this.reviews = reviews;
        this.pages = pages;
        this.callers = callers;
    }

    Map<String, Method> methods() {
        return Map.of(
                "resources/list", (params, _) -> list(params),
                "resources/templates/list", (_, _) -> TEMPLATES,
                "resources/read", this::read);
    }

    private Object list(JsonNode params) {
        Page<FeedEntry> page = reviews.catalogue()
                .feed(
                        Wanted.ALL,
                        new Page.Asked(
                                LISTED, params.path("cursor").asStringOpt().orElse(null)));
        return ListResourcesResult.builder(page.entries().stream()
                        .map(entry -> listed(entry.review()))
                        .toList())
                .nextCursor(page.next())
                .build();
    }

    private static Resource listed(Review review) {
        return Resource.builder(ReviewAddress.of(review.id()).toString(), "review " + review.id())
                .title(title(review.intent()))
                .description(review.status() + ", round " + review.round())
                .mimeType(TEXT)
                .annotations(McpSchema.Annotations.builder()
                        .lastModified(review.updatedAt().toString())
                        .build())
                .build();
    }

    /** One line, for a list to choose from. */
    private static String title(String intent) {
        String line = intent.strip().replaceAll("\\s+", " ");
        return line.codePointCount(0, line.length()) <= LONGEST_TITLE
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST_TITLE)) + "…";
    }

    private Object read(JsonNode params, @Nullable String authorization) {
        if (!params.path("uri").isString()) {
            throw RpcException.invalidParams("uri is missing, or no text");
        }
        String uri = params.path("uri").stringValue();
        ReviewAddress address = ReviewAddress.read(uri)
                .orElseThrow(() -> RpcException.noResource(
                        uri, "resources are " + ReviewAddress.REVIEW + " and " + ReviewAddress.ROUND));
        String reader = callers.reader(address.reviewer(), authorization);
        Optional<String> text;
        try {
            text = address.round() == null
                    ? pages.review(address.id(), reader)
                    : pages.round(address.id(), address.round(), reader);
        } catch (RefusedException e) { // no such round
            throw RpcException.noResource(uri, String.valueOf(e.getMessage()));
        }
        return ReadResourceResult.builder(List.of(TextResourceContents.builder(
                                uri, text.orElseThrow(() -> RpcException.noResource(uri, "there is no such review")))
                        .mimeType(TEXT)
                        .build()))
                .build();
    }
}
