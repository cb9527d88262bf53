package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.Approvals.Decision.Approved;
import dev.holdfast.review.approval.Approvals.Decision.NotApproved;
import dev.holdfast.review.approval.Approvals.Decision.Overridden;
import dev.holdfast.review.approval.Approvals.Moved;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Review;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The gate: {@code check_approval} for its check, and {@code override_approval} for people. */
record ApprovalVerbs(Shapes shapes, Approvals approvals) {
    static final String PROJECT = "the project, normalised";
    static final String BY = "who overrides";
    static final String REASON = "why it cannot wait for a review";

    /** The change to check: one of the two. */
    record Content(
            @Field(value = "the content: a unified diff", upTo = Limit.BODY) @Nullable
            String diff,

            @Field("or its revision, as create_review returned it") @Nullable
            String revision) {
        Content {
            if ((diff == null) == (revision == null)) {
                throw new InvalidException("give either diff or revision");
            }
        }
    }

    @Definition(name = "check_approval", effect = VerbEffect.READ, toolsets = Toolset.REVIEWS, description = """
                    Check whether exactly this content was approved, and by which review; if not, why, and what \
                    to do. Example: {"project": "shop", "diff": "diff --git ..."}""")
    record CheckApproval(
            @ReviewFields.Project @Nullable String project,
            @Inline Content content,

            @Field(
                    value =
                            "set by gates: a review from may_have_moved that they found to be at this place in the repository",
                    longest = Text.LONGEST_ID_BYTES)
            @Nullable
            String movedFrom,

            @Field(value = "set by gates: digits needed to identify a version", min = BaseVersions.DIGITS, max = 64)
            @Nullable
            Integer digits) {}

    record Checked(
            @Field("it passes the gate") boolean approved,
            @ReviewFields.Revision String revision,

            @Field(PROJECT) String project,

            @ReviewFields.ReviewId @Nullable String reviewId,
            @Nullable String reviewer,

            @Field(value = ReviewFields.KNOWN_BY, longest = 10) @Nullable
            String knownBy,

            @Field(ReviewFields.ENGINE) @Nullable String engine,

            @Field("the reviewer was shown all of it; absent: unknown (old approval)") @Nullable
            Boolean readAll,

            @Field("when it was approved or overridden") @Nullable
            Instant at,

            @Field("the override that lets it pass") @Nullable
            OverrideView override,

            Approvals.@Nullable Why why,
            @Nullable String status,
            @Nullable String message,

            @Field("approved reviews of the same lines elsewhere") @Nullable
            List<MovedView> mayHaveMoved) {}

    record OverrideView(
            @Field(value = BY, actor = true) @Nullable String by,

            @Field(value = ReviewFields.KNOWN_BY, longest = 10) @Nullable
            String knownBy,

            @Field(value = REASON, upTo = Limit.BODY) @Nullable
            String reason) {}

    record MovedView(
            @ReviewFields.ReviewId String reviewId,
            @Field("each file whose lines are changed") List<MovedFile> files) {
        static MovedView of(Moved moved) {
            return new MovedView(
                    moved.reviewId(),
                    moved.files().stream()
                            .map(file -> new MovedFile(file.oldPath(), file.reviewed(), file.asked()))
                            .toList());
        }
    }

    record MovedFile(
            @Field(value = "before the change", longest = Text.LONGEST_NOTE)
            String path,

            @Field("id of the version that was reviewed") String reviewed,

            @Field("id of the version in this content") String asked) {}

    @Definition(name = "override_approval", effect = VerbEffect.CHANGE, forPeople = true, description = """
                    Let exactly this content pass the gate without an approval. For people other than its proposer: it needs a \
                    name and a reason, and is recorded in the audit log. Example: {"project": "shop", "revision": "r2:…", "by": "ann", \
                    "reason": "production is down"}""")
    record OverrideApproval(
            @ReviewFields.Project @Nullable String project,
            @Inline Content content,

            @Field(value = BY, actor = true) String by,

            @Field(value = REASON, upTo = Limit.BODY) String reason) {}

    record OverriddenApproval(
            @Field("it passes the gate") boolean overridden,
            @ReviewFields.Revision String revision,

            @Field(PROJECT) String project,

            @Field(BY) String by,

            @Field(value = REASON, upTo = Limit.BODY) String reason,

            @Field("when it was overridden; the first override stands")
            Instant at) {}

    Verb check() {
        return Verb.of(shapes, CheckApproval.class, Checked.class, this::check);
    }

    /** For people only: an agent that could override its own review would not need one. */
    Verb override() {
        return Verb.of(shapes, OverrideApproval.class, OverriddenApproval.class, this::override);
    }

    private Checked check(CheckApproval given, Call call) {
        Approvals known = call.reach().everything() ? approvals : approvals.inOneProject();
        String diff = given.content().diff();
        Approvals.Decision answer = diff == null
                ? known.checkRevision(
                        given.project(), Objects.requireNonNull(given.content().revision()))
                : known.checkDiff(
                        given.project(),
                        diff,
                        given.movedFrom(),
                        Objects.requireNonNullElse(given.digits(), BaseVersions.DIGITS));
        String project = Project.key(given.project());
        return switch (answer) {
            case Approved approved ->
                new Checked(
                        true,
                        approved.revision(),
                        project,
                        approved.reviewId(),
                        approved.reviewer(),
                        approved.knownBy(),
                        approved.engine(),
                        approved.readAll(),
                        approved.at(),
                        null,
                        null,
                        null,
                        null,
                        null);
            case Overridden override ->
                new Checked(
                        true,
                        override.revision(),
                        project,
                        null,
                        null,
                        null,
                        null,
                        null,
                        override.at(),
                        new OverrideView(override.by(), override.knownBy(), override.reason()),
                        null,
                        null,
                        null,
                        null);
            case NotApproved not -> {
                Review review = not.review();
                yield new Checked(
                        false,
                        not.revision(),
                        project,
                        review == null ? null : review.id(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        not.why(),
                        review == null ? null : review.status().toString(),
                        MissingApproval.message(not),
                        Present.ifAny(not.movable().stream().map(MovedView::of).toList()));
            }
        };
    }

    private OverriddenApproval override(OverrideApproval given, Call call) {
        String diff = given.content().diff();
        Overridden override = diff == null
                ? approvals.overrideRevision(
                        given.project(),
                        Objects.requireNonNull(given.content().revision()),
                        given.by(),
                        given.reason(),
                        call.caller())
                : approvals.overrideDiff(given.project(), diff, given.by(), given.reason(), call.caller());
        return new OverriddenApproval(
                true, override.revision(), override.project(), override.by(), override.reason(), override.at());
    }
}
