package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.REVIEW_ID;
import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.queue.Catalogue.FeedEntry;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What happened: {@code get_activity_feed get_audit_log get_review_timeline get_review_stats}. */
final class ReviewHistoryVerbs {
    private static final Field COUNT =
            Field.integer("count", 0L, null, "how many these are").must();

    private final Reviews reviews;
    private final Pages pages;

    ReviewHistoryVerbs(Reviews reviews, Limits limits) {
        this.reviews = reviews;
        pages = new Pages(limits.longestList());
    }

    List<Verb> verbs() {
        return List.of(feed(), audit(), timeline(), stats());
    }

    private Verb feed() {
        List<Field> entry = Stream.concat(
                        ReviewFields.LISTED.stream(),
                        Stream.of(
                                text("plan").orNull(),
                                text("task").orNull(),
                                text("claimed_by").orNull(),
                                text("verdict_reason").orNull(),
                                Field.time("updated_at", "when it last changed").must(),
                                Field.integer("message_count", 0L, null, "how many messages it has")
                                        .must(),
                                Field.time("last_message_at", "when the last one was sent")
                                        .orNull(),
                                text("last_message_preview").orNull()))
                .toList();
        return new Verb(
                "get_activity_feed",
                "Recent activity across all reviews, with the last message of each. Example: {\"project\": \"shop\"}",
                List.of(
                        ReviewFields.STATUS,
                        ReviewFields.CATEGORY,
                        ReviewFields.PROJECT,
                        ReviewFields.CALLER_ID,
                        pages.limitOrAll("reviews"),
                        Pages.CURSOR),
                List.of(Field.objects("reviews", "the reviews", entry).must(), COUNT, Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::feed);
    }

    private Answer feed(Arguments given) {
        String project = given.textOrNull("project");
        Page<FeedEntry> page = reviews.catalogue()
                .feed(
                        new ReviewFilter(
                                given.textOrNull("status"),
                                given.textOrNull("category"),
                                project == null ? Set.of() : Set.of(project)),
                        ReviewQueueVerbs.asked(given));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put(
                "reviews", page.entries().stream().map(ReviewHistoryVerbs::told).toList());
        json.put("count", page.entries().size());
        ClaimVerbs.putIfGiven(json, "next_cursor", page.next());
        return Answer.of(json);
    }

    private static Map<String, @Nullable Object> told(FeedEntry entry) {
        Review review = entry.review();
        Map<String, @Nullable Object> json = ReviewQueueVerbs.listed(review);
        json.put("plan", review.plan());
        json.put("task", review.task());
        json.put("claimed_by", review.claimedBy());
        json.put("verdict_reason", review.verdictReason());
        json.put("updated_at", ClaimJson.time(review.updatedAt()));
        json.put("message_count", entry.messages());
        json.put("last_message_at", entry.lastMessageAt() == null ? null : ClaimJson.time(entry.lastMessageAt()));
        json.put("last_message_preview", entry.lastMessage());
        return json;
    }

    private Verb audit() {
        return new Verb(
                "get_audit_log",
                "Every event of one review, or of all reviews and pool reviewers, oldest first, with who did it. Example: {\"review_id\": \"3f2c\"}",
                List.of(REVIEW_ID.maybe(), ReviewFields.CALLER_ID, pages.limitOrAll("events"), Pages.CURSOR),
                List.of(
                        Field.objects(
                                        "events",
                                        "what happened",
                                        List.of(
                                                Field.integer("id", 1L, null, "grows with every event")
                                                        .must(),
                                                text("review_id").orNull(),
                                                text("event_type").must(),
                                                text("actor").orNull(),
                                                text("old_status").orNull(),
                                                text("new_status").orNull(),
                                                Field.value("metadata", "more about it"),
                                                Field.time("created_at", "when").must()))
                                .must(),
                        COUNT,
                        REVIEW_ID.maybe(),
                        Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                given -> {
                    String id = given.textOrNull("review_id");
                    Page<AuditEvent> page = reviews.history().events(id, ReviewQueueVerbs.asked(given));
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put(
                            "events",
                            page.entries().stream()
                                    .map(ReviewHistoryVerbs::audited)
                                    .toList());
                    json.put("count", page.entries().size());
                    ClaimVerbs.putIfGiven(json, "review_id", id);
                    ClaimVerbs.putIfGiven(json, "next_cursor", page.next());
                    return Answer.of(json);
                });
    }

    private static Map<String, @Nullable Object> audited(AuditEvent event) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", event.id());
        json.put("review_id", event.reviewId());
        json.put("event_type", event.type());
        json.put("actor", event.actor());
        json.put("old_status", event.oldStatus());
        json.put("new_status", event.newStatus());
        json.put("metadata", event.metadata());
        json.put("created_at", ClaimJson.time(event.at()));
        return json;
    }

    private Verb timeline() {
        return new Verb(
                "get_review_timeline",
                "The history of one review in brief, oldest first. Example: {\"review_id\": \"3f2c\"}",
                List.of(REVIEW_ID, ReviewFields.CALLER_ID, pages.limitOrAll("events"), Pages.CURSOR),
                List.of(
                        REVIEW_ID,
                        text("intent").must(),
                        text("current_status").must(),
                        text("project").orNull(),
                        text("category").orNull(),
                        Field.objects(
                                        "events",
                                        "what happened",
                                        List.of(
                                                text("event_type").must(),
                                                text("actor").orNull(),
                                                Field.time("timestamp", "when").must(),
                                                text("old_status"),
                                                text("new_status"),
                                                Field.value("metadata", "more about it")))
                                .must(),
                        Field.integer("event_count", 0L, null, "how many these are")
                                .must(),
                        Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::timeline);
    }

    private Answer timeline(Arguments given) {
        String id = given.text("review_id");
        Page<AuditEvent> page = reviews.history().events(id, ReviewQueueVerbs.asked(given));
        Review review = reviews.catalogue().find(id).orElseThrow();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("review_id", id);
        json.put("intent", review.intent());
        json.put("current_status", review.status().toString());
        json.put("project", review.project());
        json.put("category", review.category());
        json.put(
                "events", page.entries().stream().map(ReviewHistoryVerbs::lived).toList());
        json.put("event_count", page.entries().size());
        ClaimVerbs.putIfGiven(json, "next_cursor", page.next());
        return Answer.of(json);
    }

    private static Map<String, @Nullable Object> lived(AuditEvent event) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("event_type", event.type());
        json.put("actor", event.actor());
        json.put("timestamp", ClaimJson.time(event.at()));
        ClaimVerbs.putIfGiven(json, "old_status", event.oldStatus());
        ClaimVerbs.putIfGiven(json, "new_status", event.newStatus());
        ClaimVerbs.putIfGiven(json, "metadata", event.metadata());
        return json;
    }

    private Verb stats() {
        return new Verb(
                "get_review_stats",
                "Review statistics: how many, how fast, how often approved. Example: {\"project\": \"shop\"}",
                List.of(ReviewFields.PROJECT, ReviewFields.CALLER_ID),
                List.of(
                        Field.integer("total_reviews", 0L, null, "all of them").must(),
                        Field.anything("by_status", "how many are in each status")
                                .must(),
                        Field.anything("by_category", "how many of each category")
                                .must(),
                        Field.number("approval_rate_pct", "of those with a verdict, how many were ever approved")
                                .orNull(),
                        Field.number("avg_time_to_verdict_seconds", "from creation to the first verdict")
                                .orNull(),
                        Field.number("avg_review_duration_seconds", "from creation to closing")
                                .orNull(),
                        Field.anything("avg_time_in_state_seconds", "how long they stay in each status")
                                .must()),
                Verb.Nature.READ,
                this::stats);
    }

    private Answer stats(Arguments given) {
        Statistics.Found found = reviews.statistics().of(given.textOrNull("project"));
        Map<String, @Nullable Object> states = new LinkedHashMap<>();
        for (String state : List.of("pending", "claimed", "approved", "changes_requested")) {
            states.put(state, null);
        }
        found.inStateMicros().forEach((state, micros) -> states.put(state, seconds(micros)));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("total_reviews", found.total());
        json.put("by_status", found.byStatus());
        json.put("by_category", found.byCategory());
        json.put("approval_rate_pct", found.approvalRate());
        json.put("avg_time_to_verdict_seconds", seconds(found.toVerdictMicros()));
        json.put("avg_review_duration_seconds", seconds(found.durationMicros()));
        json.put("avg_time_in_state_seconds", states);
        return Answer.of(json);
    }

    /** To the millisecond. */
    private static @Nullable Double seconds(@Nullable Long micros) {
        return micros == null ? null : Math.round(micros / 1_000.0) / 1_000.0;
    }
}
