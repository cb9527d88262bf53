package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.REVIEW_ID;
import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.Text;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.proposal.Proposals;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What proposers do: {@code create_review close_review withdraw_review accept_counter_patch reject_counter_patch}.
 */
final class ProposalVerbs {
    private final Reviews reviews;
    private final int longest;

    ProposalVerbs(Reviews reviews, Limits limits) {
        this.reviews = reviews;
        longest = limits.bodyBytes();
    }

    List<Verb> verbs() {
        return List.of(create(), close(), withdraw(), accept(), reject());
    }

    private Verb create() {
        return new Verb(
                "create_review",
                """
                Propose a change for review; or, after changes were requested, submit the next round: the same review_id \
                and the whole new diff. Then wait with get_review_status. Example: {"intent": "Add a cache", \
                "agent_type": "claude", "agent_role": "proposer", "phase": "7", "project": "shop", \
                "diff": "diff --git ..."}""",
                List.of(
                        Field.text("intent", longest, "what the change is for, in a sentence")
                                .must(),
                        Field.text(
                                "agent_type",
                                ReviewFields.WORD,
                                "what you are, such as claude; default: your agent id"),
                        Field.text("agent_role", ReviewFields.WORD, "default: proposer"),
                        Field.text("phase", ReviewFields.WORD, "the phase of the work, if there is one"),
                        Field.text("plan", ReviewFields.WORD, "the plan"),
                        Field.text("task", ReviewFields.WORD, "the task"),
                        ReviewFields.PROJECT,
                        ReviewFields.CATEGORY,
                        Field.text("description", longest, "what a reviewer should know"),
                        Field.text(
                                "diff", longest, "the whole change, as git diff --binary prints it at the top folder"),
                        Field.text("base", 64, "the commit that the diff was made from, in full"),
                        Field.text("review_id", Text.LONGEST_ID_BYTES, "the review to revise; default: a new one"),
                        Field.flag("skip_diff_validation", "the diff need not apply to the project's files"),
                        ReviewFields.PROPOSER_ID),
                List.of(
                        REVIEW_ID,
                        text("status").must(),
                        Field.flag("revised", "it is the next round of that review"),
                        Field.flag("existing", "this content was proposed before, in this review"),
                        Field.flag("checked", "git found that the diff applies to its base"),
                        Field.text("not_checked", longest, "why git did not check the diff"),
                        text("project").orNull(),
                        Field.integer("round", 1L, null, "the round").must(),
                        ReviewFields.REVISION),
                Verb.Nature.TAKE,
                this::create);
    }

    static Proposal proposal(Arguments given) {
        return new Proposal(
                given.text("intent"),
                agentType(given),
                Objects.requireNonNullElse(given.textOrNull("agent_role"), "proposer"),
                Objects.requireNonNullElse(given.textOrNull("phase"), "-"),
                given.textOrNull("plan"),
                given.textOrNull("task"),
                given.textOrNull("project"),
                given.textOrNull("category"),
                given.textOrNull("description"),
                given.textOrNull("diff"),
                given.textOrNull("base"),
                given.flag("skip_diff_validation"));
    }

    private static String agentType(Arguments given) {
        return Optional.ofNullable(given.textOrNull("agent_type"))
                .or(() -> Optional.ofNullable(ReviewVerbs.textOrNull(given, "holder")))
                .or(() -> Optional.ofNullable(given.origin().caller().name()))
                .orElse("agent");
    }

    private Answer create(Arguments given) {
        Proposal proposal = proposal(given);
        String id = given.textOrNull("review_id");
        Caller by = given.origin().caller().saying(ReviewVerbs.textOrNull(given, "holder"));
        Proposals.Taken taken = id == null
                ? reviews.proposals().propose(proposal, by)
                : reviews.proposals().next(id, proposal, by);
        Review review = taken.review();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("review_id", review.id());
        json.put("status", taken.existing() ? review.status().toString() : "pending");
        if (id != null) {
            json.put("revised", true);
        }
        if (taken.existing()) {
            json.put("existing", true);
        }
        if (proposal.diff() != null && !proposal.skipDiffValidation()) {
            json.put("checked", taken.unchecked() == null);
        }
        ClaimVerbs.putIfGiven(json, "not_checked", taken.unchecked());
        json.put("project", review.project());
        json.put("round", review.round());
        json.put("revision", review.revision());
        return Answer.of(json);
    }

    private Verb close() {
        return new Verb(
                "close_review",
                "Close your approved review once the change is committed. Example: {\"review_id\": \"3f2c\", \"closer_role\": \"proposer\"}",
                List.of(
                        REVIEW_ID,
                        Field.text("closer_role", ReviewFields.WORD, "only proposers close; the default")
                                .usually(List.of("proposer"))),
                List.of(REVIEW_ID, text("status").must(), text("closed_by").must()),
                Verb.Nature.END,
                given -> {
                    Review review = reviews.proposals().close(given.text("review_id"), closer(given));
                    Map<String, @Nullable Object> json = told(review);
                    json.put("closed_by", closer(given));
                    return Answer.of(json);
                });
    }

    private static String closer(Arguments given) {
        return Objects.requireNonNullElse(given.textOrNull("closer_role"), "proposer");
    }

    private Verb withdraw() {
        return new Verb(
                "withdraw_review",
                "Withdraw a review that is no longer needed; its reviewer is freed. Give a reason. Example: {\"review_id\": \"3f2c\", \"reason\": \"no longer needed\"}",
                List.of(REVIEW_ID, Field.text("reason", longest, "why").must()),
                List.of(REVIEW_ID, text("status").must()),
                Verb.Nature.END,
                given -> Answer.of(told(reviews.proposals().withdraw(given.text("review_id"), given.text("reason")))));
    }

    private Verb accept() {
        return new Verb(
                "accept_counter_patch",
                "Accept the reviewer's counter-patch as the new content of your review; it then needs its own verdict. Example: {\"review_id\": \"3f2c\"}",
                List.of(REVIEW_ID),
                List.of(
                        REVIEW_ID,
                        text("counter_patch_status").must(),
                        text("message").must()),
                Verb.Nature.CHANGE,
                given -> {
                    reviews.counterPatches()
                            .accept(given.text("review_id"), given.origin().caller());
                    Map<String, @Nullable Object> json = decided(given, "accepted");
                    json.put("message", "Counter-patch accepted as active diff");
                    return Answer.of(json);
                });
    }

    private Verb reject() {
        return new Verb(
                "reject_counter_patch",
                "Reject the reviewer's counter-patch; your own content stays. Example: {\"review_id\": \"3f2c\"}",
                List.of(REVIEW_ID),
                List.of(REVIEW_ID, text("counter_patch_status").must()),
                Verb.Nature.CHANGE,
                given -> {
                    reviews.counterPatches().reject(given.text("review_id"));
                    return Answer.of(decided(given, "rejected"));
                });
    }

    private static Map<String, @Nullable Object> decided(Arguments given, String status) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("review_id", given.text("review_id"));
        json.put("counter_patch_status", status);
        return json;
    }

    private static Map<String, @Nullable Object> told(Review review) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("review_id", review.id());
        json.put("status", review.status().toString());
        return json;
    }
}
