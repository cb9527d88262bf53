package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.REVIEW_ID;
import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.reading.Receipt;
import dev.holdfast.review.record.Attention;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.Review;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is there to review and how it stands, with waiting: {@code list_reviews get_review_status}. */
final class ReviewQueueVerbs {
    /** How long wait: true waits, as the predecessor's clients expect. */
    private static final Duration USUAL_WAIT = Duration.ofSeconds(25);

    private static final List<Field> READ_BY = List.of(
            text("reviewer").must(),
            ReviewFields.GENERATION.must(),
            ReviewFields.REVISION,
            Field.integer("characters_read", 0L, null, "characters shown, as get_proposal counts them")
                    .must(),
            Field.integer("characters", 0L, null, "of the diff, or of the description if there is none")
                    .must(),
            Field.flag("complete", "all of it was shown").must(),
            Field.time("at", "when something new was last shown").must());

    private final Reviews reviews;
    private final Limits limits;
    private final Pages pages;

    ReviewQueueVerbs(Reviews reviews, Limits limits) {
        this.reviews = reviews;
        this.limits = limits;
        pages = new Pages(limits.longestList());
    }

    List<Verb> verbs() {
        return List.of(list(), status());
    }

    private Verb list() {
        return new Verb(
                "list_reviews",
                """
                List reviews, most urgent first, then oldest. With status pending and wait: true it waits up to 25 s for \
                one. A reviewer who just wants the next one calls claim_next_review instead. \
                Example: {"status": "pending", "wait": true}""",
                List.of(
                        ReviewFields.STATUS,
                        Field.flag("open", "leave out closed and withdrawn ones"),
                        ReviewFields.CATEGORY,
                        ReviewFields.PROJECT,
                        Field.texts("projects", 1_000, "only those of these projects"),
                        Field.text(
                                        "order",
                                        ReviewFields.WORD,
                                        "waiting: longest waiting first, without reviews that wait for nobody")
                                .oneOf(List.of("urgency", "waiting")),
                        Field.flag("wait", "wait until there is one; needs status pending"),
                        ReviewFields.CALLER_ID,
                        pages.limitOrAll("reviews"),
                        Pages.CURSOR),
                List.of(
                        Field.objects("reviews", "the reviews", ReviewFields.LISTED)
                                .must(),
                        Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::list);
    }

    private Answer list(Arguments given) {
        String status = given.textOrNull("status");
        String project = given.textOrNull("project");
        boolean wait = given.flag("wait");
        if (wait && !"pending".equals(status)) {
            return Answer.refused(RefusalCode.INVALID, "wait=True requires status='pending'");
        }
        if (project != null && given.has("projects")) {
            return Answer.refused(RefusalCode.INVALID, "Provide either 'project' or 'projects', not both.");
        }
        if (given.has("projects") && given.texts("projects").isEmpty()) {
            return Answer.refused(RefusalCode.INVALID, "'projects' must contain at least one project identifier.");
        }
        boolean longestFirst = "waiting".equals(given.textOrNull("order"));
        if (wait && longestFirst) {
            return Answer.refused(
                    RefusalCode.INVALID, "With wait the list is in order of urgency: leave out 'order' or 'wait'.");
        }
        String caller = ReviewVerbs.textOrNull(given, "caller_id");
        ReviewFilter wanted = reviews.catalogue()
                .allowed(
                        new ReviewFilter(
                                status == null && given.flag("open") ? ReviewFilter.OPEN : status,
                                given.textOrNull("category"),
                                project == null ? given.texts("projects") : Set.of(project)),
                        project,
                        caller);
        Page<Review> page = wait
                ? reviews.catalogue().awaitPending(wanted, caller, asked(given), patience())
                : longestFirst
                        ? reviews.catalogue().longestWaiting(wanted, asked(given))
                        : reviews.catalogue().list(wanted, asked(given));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put(
                "reviews", page.entries().stream().map(ReviewQueueVerbs::listed).toList());
        ClaimVerbs.putIfGiven(json, "next_cursor", page.next());
        return Answer.of(json);
    }

    /** The predecessor's lists are whole unless part of them is asked for. */
    static Page.Asked asked(Arguments given) {
        return new Page.Asked(
                (int) given.number("limit", Page.Asked.ALL.limit()), ReviewVerbs.textOrNull(given, "cursor"));
    }

    private Duration patience() {
        return USUAL_WAIT.compareTo(limits.longestWait()) < 0 ? USUAL_WAIT : limits.longestWait();
    }

    static Map<String, @Nullable Object> listed(Review review) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", review.id());
        json.put("status", review.status().toString());
        json.put("intent", review.intent());
        json.put("agent_type", review.agentType());
        json.put("phase", review.phase());
        json.put("priority", review.priority());
        json.put("project", review.project());
        json.put("category", review.category());
        json.put("created_at", ClaimJson.time(review.createdAt()));
        json.put("proposer", proposer(review.proposer()));
        json.put("attention", attention(review.attention()));
        return json;
    }

    static @Nullable Map<String, @Nullable Object> proposer(@Nullable Proposer proposer) {
        if (proposer == null) {
            return null;
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("agent", proposer.agent());
        json.put("known_by", proposer.known().toString());
        ClaimVerbs.putIfGiven(json, "engine", proposer.engine());
        return json;
    }

    private static Map<String, @Nullable Object> attention(Attention attention) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("turn", attention.turn().toString());
        json.put("who", attention.who());
        json.put("since", ClaimJson.time(attention.since()));
        return json;
    }

    private Verb status() {
        List<Field> json = Stream.concat(
                        ReviewFields.LISTED.stream(),
                        Stream.of(
                                text("agent_role").must(),
                                text("plan").orNull(),
                                text("task").orNull(),
                                text("claimed_by").orNull(),
                                text("verdict_reason").orNull(),
                                Field.integer("current_round", 1L, null, "the round")
                                        .must(),
                                Field.time("updated_at", "when it last changed").must(),
                                ReviewFields.REVISION,
                                ReviewFields.GENERATION.must(),
                                Field.integer("open_findings", 0L, null, "neither resolved nor waived")
                                        .must(),
                                Field.integer("blocking_findings", 0L, null, "those that block approval")
                                        .must(),
                                Field.objects("read_by", "who was shown how much of this revision", READ_BY)
                                        .must(),
                                Field.integer("version", 0L, null, "pass it as since to wait for the next change")
                                        .must()))
                .toList();
        return new Verb(
                "get_review_status",
                """
                Get a review's status and whose turn it is. A proposer waits for the verdict with wait: true (up to 25 s, \
                then repeat) and since: the version of the last answer, so that no change is missed; get_proposal has the findings. \
                Example: {"review_id": "3f2c", "wait": true, "since": 17}""",
                List.of(
                        REVIEW_ID,
                        Field.flag("wait", "wait until it changes"),
                        Field.integer("since", 0L, null, "the version you have; returns at once if it is not current"),
                        ReviewFields.CALLER_ID),
                json,
                Verb.Nature.READ,
                this::status);
    }

    private Answer status(Arguments given) {
        String id = given.text("review_id");
        return (given.flag("wait")
                        ? reviews.catalogue().changed(id, given.numberOrNull("since"), patience())
                        : reviews.catalogue().find(id))
                .map(review -> Answer.of(status(review, reviews.receipts().of(id))))
                .orElseGet(() -> Answer.refused(RefusalCode.NOT_FOUND, "Review " + id + " not found"));
    }

    private static Map<String, @Nullable Object> status(Review review, List<Receipt> receipts) {
        Map<String, @Nullable Object> json = listed(review);
        json.put("agent_role", review.agentRole());
        json.put("plan", review.plan());
        json.put("task", review.task());
        json.put("claimed_by", review.claimedBy());
        json.put("verdict_reason", review.verdictReason());
        json.put("current_round", review.round());
        json.put("updated_at", ClaimJson.time(review.updatedAt()));
        json.put("revision", review.revision());
        json.put("claim_generation", review.generation());
        json.put("open_findings", review.openFindings());
        json.put("blocking_findings", review.blockingFindings());
        json.put("read_by", receipts.stream().map(ReviewQueueVerbs::told).toList());
        json.put("version", review.version());
        return json;
    }

    private static Map<String, @Nullable Object> told(Receipt receipt) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("reviewer", receipt.reviewer());
        json.put("claim_generation", receipt.generation());
        json.put("revision", receipt.revision());
        json.put("characters_read", receipt.charactersRead());
        json.put("characters", receipt.characters());
        json.put("complete", receipt.complete());
        json.put("at", ClaimJson.time(receipt.at()));
        return json;
    }
}
