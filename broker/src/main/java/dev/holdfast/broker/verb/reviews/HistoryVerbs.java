package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.queue.ReviewCatalogue.FeedEntry;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** History: {@code get_activity_feed get_audit_log get_review_timeline get_review_stats}. */
record HistoryVerbs(Shapes shapes, Reviews reviews) {
    static final String COUNT = "how many are listed";

    @Definition(name = "get_activity_feed", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    Recent activity across all reviews, with the last message of each. Example: {"project": "shop"}""")
    record GetFeed(
            @ReviewFields.OfStatus @Nullable String status,
            @ReviewFields.Category @Nullable String category,
            @ReviewFields.Project @Nullable String project,
            @ReviewFields.CallerId @Nullable String callerId,
            @ReviewFields.PageSize @Nullable Integer limit,
            @CommonFields.Cursor @Nullable String cursor) {}

    record Feed(
            @Field("the reviews") List<Entry> reviews,
            @Field(COUNT) int count,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    record Entry(
            @Inline ReviewJson review,
            @Field(orNull = true) @Nullable String plan,
            @Field(orNull = true) @Nullable String task,
            @Field(orNull = true) @Nullable String claimedBy,
            @Field(orNull = true) @Nullable String verdictReason,
            @Field("when it last changed") Instant updatedAt,

            @Field("how many messages it has") long messageCount,

            @Field(value = "when the last one was sent", orNull = true) @Nullable
            Instant lastMessageAt,

            @Field(orNull = true) @Nullable String lastMessagePreview) {
        static Entry of(FeedEntry entry) {
            Review review = entry.review();
            return new Entry(
                    ReviewJson.of(review),
                    review.plan(),
                    review.task(),
                    review.claimedBy(),
                    review.verdictReason(),
                    review.updatedAt(),
                    entry.messages(),
                    entry.lastMessageAt(),
                    entry.lastMessage());
        }
    }

    @Definition(name = "get_audit_log", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    Every event of one review, or of all reviews and pool reviewers, oldest first, with who did it. Example: \
                    {"review_id": "3f2c"}""")
    record GetAudit(
            @ReviewFields.ReviewId @Nullable String reviewId,
            @ReviewFields.CallerId @Nullable String callerId,
            @ReviewFields.PageSize @Nullable Integer limit,
            @CommonFields.Cursor @Nullable String cursor) {}

    record Audit(
            @Field("what happened") List<Audited> events,
            @Field(COUNT) int count,
            @ReviewFields.ReviewId @Nullable String reviewId,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    record Audited(
            @Field(value = "grows with every event", min = 1)
            long id,

            @Field(orNull = true) @Nullable String reviewId,
            String eventType,
            @Field(orNull = true) @Nullable String actor,
            @Field(orNull = true) @Nullable String oldStatus,
            @Field(orNull = true) @Nullable String newStatus,

            @Field(value = "details", orNull = true) @Nullable
            Object metadata,

            @Field("when") Instant createdAt) {
        static Audited of(AuditEvent event) {
            return new Audited(
                    event.id(),
                    event.reviewId(),
                    event.type(),
                    event.actor(),
                    event.oldStatus(),
                    event.newStatus(),
                    event.metadata(),
                    event.at());
        }
    }

    @Definition(name = "get_review_timeline", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    The history of one review in brief, oldest first. Example: {"review_id": "3f2c"}""")
    record GetTimeline(
            @ReviewFields.ReviewId String reviewId,
            @ReviewFields.CallerId @Nullable String callerId,
            @ReviewFields.PageSize @Nullable Integer limit,
            @CommonFields.Cursor @Nullable String cursor) {}

    record Timeline(
            @ReviewFields.ReviewId String reviewId,
            String intent,
            String currentStatus,
            @Field(orNull = true) @Nullable String project,
            @Field(orNull = true) @Nullable String category,
            @Field("what happened") List<Moment> events,
            @Field(COUNT) int eventCount,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    record Moment(
            String eventType,
            @Field(orNull = true) @Nullable String actor,
            @Field("when") Instant timestamp,
            @Nullable String oldStatus,
            @Nullable String newStatus,
            @Field("details") @Nullable Object metadata) {
        static Moment of(AuditEvent event) {
            return new Moment(
                    event.type(), event.actor(), event.at(), event.oldStatus(), event.newStatus(), event.metadata());
        }
    }

    @Definition(name = "get_review_stats", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    Review statistics: how many, how fast, how often approved. Example: {"project": "shop"}""")
    record GetStats(
            @ReviewFields.Project @Nullable String project,
            @ReviewFields.CallerId @Nullable String callerId) {}

    record Stats(
            @Field("all of them") long totalReviews,
            @Field("how many are in each status") Map<String, Long> byStatus,
            @Field("how many of each category") Map<String, Long> byCategory,

            @Field(value = "of those with a verdict, how many were ever approved", orNull = true) @Nullable
            Double approvalRatePct,

            @Field(value = "from creation to the first verdict", orNull = true) @Nullable
            Double avgTimeToVerdictSeconds,

            @Field(value = "from creation to closing", orNull = true) @Nullable
            Double avgReviewDurationSeconds,

            @Field("how long they stay in each status") Map<String, @Nullable Double> avgTimeInStateSeconds) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, GetFeed.class, Feed.class, this::feed),
                Verb.of(shapes, GetAudit.class, Audit.class, this::audit),
                Verb.of(shapes, GetTimeline.class, Timeline.class, this::timeline),
                Verb.of(shapes, GetStats.class, Stats.class, this::stats));
    }

    private Feed feed(GetFeed given) {
        String project = given.project();
        Page<FeedEntry> page = reviews.catalogue()
                .feed(
                        new ReviewFilter(
                                given.status(), given.category(), project == null ? Set.of() : Set.of(project)),
                        ReviewFields.asked(given.limit(), given.cursor()));
        return new Feed(
                page.entries().stream().map(Entry::of).toList(), page.entries().size(), page.next());
    }

    private Audit audit(GetAudit given) {
        Page<AuditEvent> page =
                reviews.history().events(given.reviewId(), ReviewFields.asked(given.limit(), given.cursor()));
        return new Audit(
                page.entries().stream().map(Audited::of).toList(),
                page.entries().size(),
                given.reviewId(),
                page.next());
    }

    private Timeline timeline(GetTimeline given) {
        String id = given.reviewId();
        Page<AuditEvent> page = reviews.history().events(id, ReviewFields.asked(given.limit(), given.cursor()));
        Review review = reviews.catalogue().find(id).orElseThrow();
        return new Timeline(
                id,
                review.intent(),
                review.status().toString(),
                review.project(),
                review.category(),
                page.entries().stream().map(Moment::of).toList(),
                page.entries().size(),
                page.next());
    }

    private Stats stats(GetStats given) {
        Statistics.Found found = reviews.statistics().of(given.project());
        Map<String, @Nullable Double> states = new LinkedHashMap<>();
        for (String state : List.of("pending", "claimed", "approved", "changes_requested")) {
            states.put(state, null);
        }
        found.inStateMicros().forEach((state, micros) -> states.put(state, seconds(micros)));
        return new Stats(
                found.total(),
                found.byStatus(),
                found.byCategory(),
                found.approvalRate(),
                seconds(found.toVerdictMicros()),
                seconds(found.durationMicros()),
                states);
    }

    /** Rounded to milliseconds. */
    private static @Nullable Double seconds(@Nullable Long micros) {
        return micros == null ? null : Math.round(micros / 1_000.0) / 1_000.0;
    }
}
