package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.reading.Receipt;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finding reviews and their state, optionally waiting: {@code list_reviews get_review_status}. */
record QueueVerbs(Shapes shapes, Reviews reviews) {
    /** How long {@code wait: true} waits, as the predecessor's clients expect. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(25);

    private static final String WAITING = "waiting";

    @Definition(name = "list_reviews", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    List reviews, most urgent first, then oldest. With status pending and wait: true it waits up to 25 s for \
                    one. A reviewer who just wants the next one calls claim_next_review instead. \
                    Example: {"status": "pending", "wait": true}""")
    record ListReviews(
            @ReviewFields.OfStatus @Nullable String status,
            @Field("leave out closed and withdrawn ones") boolean open,
            @ReviewFields.Category @Nullable String category,
            @ReviewFields.Project @Nullable String project,

            @Field(value = "only those of these projects", longest = 1_000) @Nullable
            Set<String> projects,

            @Field(
                    value = "waiting: longest waiting first, without reviews that wait for nobody",
                    words = {"urgency", WAITING})
            @Nullable
            String order,

            @Field(value = "wait until there is one; needs status pending", name = "wait")
            boolean waits,

            @ReviewFields.CallerId @Nullable String callerId,
            @ReviewFields.PageSize @Nullable Integer limit,
            @CommonFields.Cursor @Nullable String cursor) {}

    record ReviewList(
            @Field("the reviews") List<ReviewJson> reviews,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    @Definition(
            name = "get_review_status",
            effect = VerbEffect.READ,
            toolsets = {Toolset.CODER, Toolset.REVIEWS},
            description = """
                    Get a review's status and whose turn it is. A proposer waits for the verdict with wait: true (up to 25 s, \
                    then repeat) and since: the version of the last answer, so that no change is missed; get_proposal has the findings. \
                    Example: {"review_id": "3f2c", "wait": true, "since": 17}""")
    record GetReviewStatus(
            @ReviewFields.ReviewId String reviewId,

            @Field(value = "wait until it changes", name = "wait")
            boolean waits,

            @Field("the version you have; returns at once if it is not current") @Nullable
            Long since,

            @ReviewFields.CallerId @Nullable String callerId) {}

    record FullStatus(
            @Inline ReviewJson review,
            String agentRole,
            @Field(orNull = true) @Nullable String plan,
            @Field(orNull = true) @Nullable String task,
            @Field(orNull = true) @Nullable String claimedBy,
            @Field(orNull = true) @Nullable String verdictReason,
            @Field(value = ReviewFields.ROUND, min = 1) int currentRound,
            @Field("when it last changed") Instant updatedAt,
            @ReviewFields.Revision String revision,
            @ReviewFields.Generation long claimGeneration,

            @Field("neither resolved nor waived") long openFindings,

            @Field("those that block approval") long blockingFindings,

            @Field("who was shown how much of this revision")
            List<ReadBy> readBy,

            @Field("pass it as since to wait for the next change")
            long version) {
        static FullStatus of(Review review, List<Receipt> receipts) {
            return new FullStatus(
                    ReviewJson.of(review),
                    review.agentRole(),
                    review.plan(),
                    review.task(),
                    review.claimedBy(),
                    review.verdictReason(),
                    review.round(),
                    review.updatedAt(),
                    review.revision(),
                    review.generation(),
                    review.openFindings(),
                    review.blockingFindings(),
                    receipts.stream().map(ReadBy::of).toList(),
                    review.version());
        }
    }

    record ReadBy(
            String reviewer,
            @ReviewFields.Generation long claimGeneration,
            @ReviewFields.Revision String revision,

            @Field("characters shown, as get_proposal counts them")
            int charactersRead,

            @Field("of the diff, or of the description if there is none")
            int characters,

            @Field("all of it was shown") boolean complete,
            @Field("when something new was last shown") Instant at) {
        static ReadBy of(Receipt receipt) {
            return new ReadBy(
                    receipt.reviewer(),
                    receipt.generation(),
                    receipt.revision(),
                    receipt.charactersRead(),
                    receipt.characters(),
                    receipt.complete(),
                    receipt.at());
        }
    }

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ListReviews.class, ReviewList.class, this::list),
                Verb.of(shapes, GetReviewStatus.class, FullStatus.class, this::status));
    }

    private ReviewList list(ListReviews given) {
        String project = given.project();
        Set<String> projects = given.projects();
        if (given.waits() && !"pending".equals(given.status())) {
            throw invalid("wait=True requires status='pending'");
        }
        if (project != null && projects != null) {
            throw invalid("Provide either 'project' or 'projects', not both.");
        }
        if (projects != null && projects.isEmpty()) {
            throw invalid("'projects' must contain at least one project identifier.");
        }
        boolean longestFirst = WAITING.equals(given.order());
        if (given.waits() && longestFirst) {
            throw invalid("With wait the list is in order of urgency: leave out 'order' or 'wait'.");
        }
        String caller = ReviewFields.filled(given.callerId());
        String status = given.status() == null && given.open() ? ReviewFilter.OPEN : given.status();
        Set<String> asked = project != null ? Set.of(project) : projects != null ? projects : Set.of();
        ReviewFilter wanted =
                reviews.catalogue().allowed(new ReviewFilter(status, given.category(), asked), project, caller);
        Page.Request part = ReviewFields.asked(given.limit(), given.cursor());
        Page<Review> page = given.waits()
                ? reviews.catalogue().awaitPending(wanted, caller, part, patience())
                : longestFirst
                        ? reviews.catalogue().longestWaiting(wanted, part)
                        : reviews.catalogue().list(wanted, part);
        return new ReviewList(page.entries().stream().map(ReviewJson::of).toList(), page.next());
    }

    private static RefusedException invalid(String text) {
        return new RefusedException(RefusalCode.INVALID, text);
    }

    private Duration patience() {
        Duration longest = shapes.bounds().limits().longestWait();
        return USUAL_WAIT.compareTo(longest) < 0 ? USUAL_WAIT : longest;
    }

    private FullStatus status(GetReviewStatus given) {
        String id = given.reviewId();
        Optional<Review> found = given.waits()
                ? reviews.catalogue().changed(id, given.since(), patience())
                : reviews.catalogue().find(id);
        return found.map(review -> FullStatus.of(review, reviews.receipts().of(id)))
                .orElseThrow(() -> new RefusedException(RefusalCode.NOT_FOUND, "Review " + id + " not found"));
    }
}
