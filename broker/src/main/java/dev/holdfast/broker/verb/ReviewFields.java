package dev.holdfast.broker.verb;

import dev.holdfast.claim.Text;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Verdict;
import java.util.List;

/** What the verbs of reviews take and tell, by the names that the predecessor's clients know. */
final class ReviewFields {
    static final int WORD = 200;

    static final Field REVIEW_ID =
            Field.text("review_id", Text.LONGEST_ID_BYTES, "the review's id").must();

    /** Which reviews to list. */
    static final Field STATUS =
            Field.text("status", WORD, "only those in this status").usually(ReviewStatus.words());

    static final Field VERDICT = Field.text("verdict", WORD, "comment keeps your claim")
            .usually(Verdict.WORDS)
            .must();

    static final Field REVIEWER_ID = Field.text(
                    "reviewer_id", Text.LONGEST_HOLDER, "who you are, the same in every call")
            .ofActor()
            .example("reviewer-1");

    static final Field PROPOSER_ID = Field.text(
                    "holder", Text.LONGEST_HOLDER, "your agent id; proposers do not review their own change")
            .ofActor()
            .example("claude-3fa91c");

    static final Field KNOWN_BY = Field.text("known_by", 10, "token, session, name (unverified) or nothing");
    static final Field ENGINE = Field.text("engine", WORD, "claude, codex, person, ...");

    static final Field PROPOSER = Field.object(
                    "proposer",
                    "who proposed it; null: not recorded",
                    List.of(text("agent").orNull(), KNOWN_BY.must(), ENGINE))
            .orNull();

    static final Field CALLER_ID =
            Field.text("caller_id", Text.LONGEST_HOLDER, "who you are").ofActor();

    static final Field GENERATION =
            Field.integer("claim_generation", 0L, null, "the generation of your claim on the review");

    static final Field REQUEST_ID =
            Field.text("request_id", Text.LONGEST_HOLDER, "unique per claim; a retry with it returns the same grant");

    static final Field PROJECT = Field.text("project", 1_000, "the project; spelling, case and path do not matter");

    static final Field CATEGORY =
            Field.text("category", WORD, "such as plan_review, code_change, verification, handoff");

    static final Field REVISION = Field.text("revision", WORD, "hash of the content that is up for review")
            .must();

    static final Field VALIDATION_ERROR =
            Field.text("validation_error", Text.LONGEST_NOTE, "why the diff does not apply");

    static final List<Field> AFFECTED_FILE = List.of(
            Field.text("path", Text.LONGEST_NOTE, "the file").must(),
            Field.text("operation", 20, "create, delete, modify, rename or copy")
                    .must(),
            Field.integer("added", 0L, null, "lines added").must(),
            Field.integer("removed", 0L, null, "lines removed").must(),
            Field.text("old_path", Text.LONGEST_NOTE, "where it came from"),
            Field.text("old_mode", 20, "its mode before"),
            Field.text("new_mode", 20, "its mode after"),
            Field.flag("binary", "it is not text"));

    /** What a list tells of a review. */
    static final List<Field> LISTED = List.of(
            text("id").must(),
            text("status").must(),
            text("intent").must(),
            text("agent_type").must(),
            text("phase").must(),
            text("priority").must(),
            text("project").orNull(),
            text("category").orNull(),
            Field.time("created_at", "when it was proposed").must(),
            PROPOSER,
            Field.object(
                            "attention",
                            "whose turn it is",
                            List.of(
                                    Field.text("turn", 10, "who acts next")
                                            .oneOf(List.of("proposer", "reviewer", "nobody"))
                                            .must(),
                                    Field.text("who", Text.LONGEST_HOLDER, "its name; null: anybody, or nobody")
                                            .orNull(),
                                    Field.time("since", "since when").must()))
                    .must());

    private ReviewFields() {}

    /** A text of a result. */
    static Field text(String name) {
        return Field.text(name, ReviewLimits.DEFAULT.textCharacters(), name.replace('_', ' '));
    }
}
