package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.imports.Imported;
import dev.holdfast.review.imports.Imports;
import dev.holdfast.review.record.ReviewStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes reviews over from another broker: {@code import_reviews}, for programs; no model has a use for it. */
final class ImportVerbs {
    private static final int MOST_REVIEWS = 500;
    private static final int MOST_PARTS = 100_000;

    private final Reviews reviews;
    private final int longest;

    ImportVerbs(Reviews reviews, Limits limits) {
        this.reviews = reviews;
        longest = limits.bodyBytes();
    }

    Verb take() {
        return new Verb(
                        "import_reviews",
                        """
                        Import reviews from another broker, with their claims and history. A repeat imports nothing \
                        twice: what changed only there is brought up to date, what changed here stays as it is.""",
                        List.of(
                                Field.objects("reviews", "the reviews, the oldest first", review())
                                        .atMost(MOST_REVIEWS)
                                        .must(),
                                Field.flag("dry_run", "only report what would be done")),
                        result(),
                        Verb.Nature.CHANGE,
                        this::take)
                .forPeople();
    }

    private static List<Field> result() {
        List<Field> fields = new ArrayList<>();
        for (Imports.How how : Imports.How.values()) {
            fields.add(Field.integer(how.toString(), 0L, null, "how many were " + how)
                    .must());
        }
        fields.add(Field.objects(
                        "reviews",
                        "the outcome for each, in the order given",
                        List.of(
                                ReviewFields.text("id").must(),
                                ReviewFields.text("outcome")
                                        .oneOf(Arrays.stream(Imports.How.values())
                                                .map(Imports.How::toString)
                                                .toList())
                                        .must(),
                                ReviewFields.text("reason")))
                .must());
        return fields;
    }

    private List<Field> review() {
        return List.of(
                word("id").must(),
                word("status").oneOf(ReviewStatus.words()).must(),
                text("intent").must(),
                text("description"),
                text("diff"),
                text("agent_type").must(),
                text("agent_role").must(),
                text("phase").must(),
                text("plan"),
                text("task"),
                text("project"),
                text("category"),
                word("priority").oneOf(List.of("critical", "normal", "low")),
                Field.integer("round", 1L, (long) Integer.MAX_VALUE, "the round")
                        .must(),
                Field.flag("skip_diff_validation", "the diff need not apply"),
                text("claimed_by"),
                time("claimed_at"),
                Field.integer("claim_generation", 0L, null, "the highest generation given there"),
                text("verdict_reason"),
                time("created_at").must(),
                time("updated_at").must(),
                Field.objects("verdicts", "verdicts and comments, the oldest first", verdict())
                        .atMost(MOST_PARTS),
                Field.objects("messages", "what was said, the oldest first", message())
                        .atMost(MOST_PARTS),
                Field.objects("events", "what happened, the oldest first", event())
                        .atMost(MOST_PARTS));
    }

    private List<Field> verdict() {
        return List.of(
                word("verdict")
                        .oneOf(List.of("approved", "changes_requested", "comment"))
                        .must(),
                Field.integer("round", 1L, (long) Integer.MAX_VALUE, "the round")
                        .must(),
                Field.flag("on_current", "it was given on the content that the review has now"),
                Field.flag("assumed", "nothing tells of it but the status"),
                text("reason"),
                text("reviewer"),
                Field.integer("claim_generation", 0L, null, "of its claim"),
                text("counter_patch"),
                word("counter_patch_status").oneOf(List.of("pending", "accepted", "rejected", "superseded")),
                time("at").must());
    }

    private List<Field> message() {
        return List.of(
                word("id").must(),
                word("sender_role").oneOf(List.of("proposer", "reviewer")).must(),
                Field.integer("round", 1L, (long) Integer.MAX_VALUE, "the round")
                        .must(),
                text("body").must(),
                text("metadata"),
                time("at").must());
    }

    private List<Field> event() {
        return List.of(
                Field.integer("number", 1L, null, "grows with every event of that broker")
                        .must(),
                text("type").must(),
                text("actor"),
                text("old_status"),
                text("new_status"),
                Field.integer("claim_generation", 0L, null, "of the claim"),
                Field.text("metadata", longest, "more, a JSON object as text"),
                time("at").must());
    }

    private Field text(String name) {
        return Field.text(name, longest, name.replace('_', ' '));
    }

    private static Field word(String name) {
        return Field.text(name, Text.LONGEST_ID_BYTES, name.replace('_', ' '));
    }

    private static Field time(String name) {
        return Field.text(name, 40, "an ISO 8601 time, UTC").example("2026-11-15T10:00:00Z");
    }

    private Answer take(Arguments given) {
        List<Imported> asked =
                given.objects("reviews").stream().map(ImportVerbs::imported).toList();
        List<Imports.Taken> taken = reviews.imports()
                .take(asked, given.flag("dry_run"), given.origin().caller());
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        for (Imports.How how : Imports.How.values()) {
            json.put(
                    how.toString(),
                    taken.stream().filter(one -> one.how() == how).count());
        }
        json.put(
                "reviews",
                taken.stream()
                        .map(one -> {
                            Map<String, @Nullable Object> each = new LinkedHashMap<>();
                            each.put("id", one.id());
                            each.put("outcome", one.how().toString());
                            ClaimVerbs.putIfGiven(each, "reason", one.reason());
                            return each;
                        })
                        .toList());
        return Answer.of(json);
    }

    private static Imported imported(Arguments given) {
        Instant updated = time(given, "updated_at");
        return new Imported(
                given.text("id"),
                ReviewStatus.valueOf(given.text("status").toUpperCase(Locale.ROOT)),
                ProposalVerbs.proposal(given),
                given.has("priority") ? given.text("priority") : "normal",
                (int) given.number("round", 1),
                given.textOrNull("claimed_by"),
                given.has("claimed_at") ? time(given, "claimed_at") : updated,
                given.number("claim_generation", 0),
                given.textOrNull("verdict_reason"),
                time(given, "created_at"),
                updated,
                given.objects("verdicts").stream().map(ImportVerbs::judged).toList(),
                given.objects("messages").stream().map(ImportVerbs::said).toList(),
                given.objects("events").stream().map(ImportVerbs::happened).toList());
    }

    private static Imported.Judged judged(Arguments given) {
        return new Imported.Judged(
                given.text("verdict"),
                (int) given.number("round", 1),
                given.flag("on_current"),
                given.flag("assumed"),
                given.textOrNull("reason"),
                given.textOrNull("reviewer"),
                given.numberOrNull("claim_generation"),
                given.textOrNull("counter_patch"),
                given.textOrNull("counter_patch_status"),
                time(given, "at"));
    }

    private static Imported.Said said(Arguments given) {
        return new Imported.Said(
                given.text("id"),
                given.text("sender_role"),
                (int) given.number("round", 1),
                given.text("body"),
                given.textOrNull("metadata"),
                time(given, "at"));
    }

    private static Imported.Happened happened(Arguments given) {
        return new Imported.Happened(
                given.number("number", 0),
                given.text("type"),
                given.textOrNull("actor"),
                given.textOrNull("old_status"),
                given.textOrNull("new_status"),
                given.numberOrNull("claim_generation"),
                given.textOrNull("metadata"),
                time(given, "at"));
    }

    private static Instant time(Arguments given, String name) {
        try {
            return Instant.parse(given.text(name));
        } catch (DateTimeException _) {
            throw new InvalidException(
                    name + " must be a time such as 2026-11-15T10:00:00Z, not '" + given.text(name) + "'");
        }
    }
}
