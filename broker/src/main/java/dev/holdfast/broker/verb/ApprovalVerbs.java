package dev.holdfast.broker.verb;

import static dev.holdfast.broker.verb.ReviewFields.REVIEW_ID;
import static dev.holdfast.broker.verb.ReviewFields.text;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.Approvals.Answer.Approved;
import dev.holdfast.review.approval.Approvals.Answer.NotApproved;
import dev.holdfast.review.approval.Approvals.Answer.Overridden;
import dev.holdfast.review.approval.Approvals.Moved;
import dev.holdfast.review.approval.Approvals.Why;
import dev.holdfast.review.diff.Bases;
import dev.holdfast.review.diff.Elsewhere;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Review;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What gates ask, {@code check_approval}, and how people get past them, {@code override_approval}. */
final class ApprovalVerbs {
    private static final Field REVISION =
            Field.text("revision", ReviewFields.WORD, "or its revision, as create_review answered it");

    private static final Field MOVED_FROM = Field.text(
            "moved_from",
            Text.LONGEST_ID_BYTES,
            "set by gates: a review from may_have_moved that they found to be at this place in the repository");

    private static final Field DIGITS =
            Field.integer("digits", (long) Bases.DIGITS, 64L, "set by gates: digits needed to identify a version");

    private static final List<Field> MOVED = List.of(
            REVIEW_ID,
            Field.objects(
                            "files",
                            "each file whose lines are changed",
                            List.of(
                                    Field.text("path", Text.LONGEST_NOTE, "before the change")
                                            .must(),
                                    Field.text("reviewed", ReviewFields.WORD, "id of the version that was reviewed")
                                            .must(),
                                    Field.text("asked", ReviewFields.WORD, "id of the version that is asked about")
                                            .must()))
                    .must());

    private static final Field BY =
            Field.text("by", Text.LONGEST_HOLDER, "who overrides").ofActor();
    private static final Field PROJECT_KEY = Field.text("project", Text.LONGEST_HOLDER, "the project, normalised")
            .must();

    private final Approvals approvals;
    private final Field diff;
    private final Field reason;

    ApprovalVerbs(Approvals approvals, Limits limits) {
        this.approvals = approvals;
        diff = Field.text("diff", limits.bodyBytes(), "the content: a unified diff");
        reason = Field.text("reason", limits.bodyBytes(), "why it cannot wait for a review");
    }

    Verb check() {
        return new Verb(
                "check_approval",
                """
                Check whether exactly this content was approved, and by which review; if not, why, and what \
                to do. Example: {"project": "shop", "diff": "diff --git ..."}""",
                List.of(ReviewFields.PROJECT, diff, REVISION, MOVED_FROM, DIGITS),
                List.of(
                        Field.flag("approved", "it may go in").must(),
                        ReviewFields.REVISION,
                        PROJECT_KEY,
                        REVIEW_ID.maybe(),
                        text("reviewer"),
                        ReviewFields.KNOWN_BY,
                        ReviewFields.ENGINE,
                        Field.flag("read_all", "the reviewer was shown all of it; absent: unknown (old approval)"),
                        Field.time("at", "when it was approved or overridden"),
                        Field.object(
                                "override",
                                "the override that lets it pass",
                                List.of(BY, ReviewFields.KNOWN_BY, reason)),
                        text("why").oneOf(words()),
                        text("status"),
                        text("message"),
                        Field.objects("may_have_moved", "approved reviews of the same lines elsewhere", MOVED)),
                Verb.Nature.READ,
                this::check);
    }

    Verb override() {
        return new Verb(
                "override_approval",
                """
                Let exactly this content pass the gate without an approval. For people other than its proposer: it needs a \
                name and a reason, and is kept in the audit. Example: {"project": "shop", "revision": "r2:…", "by": "ann", \
                "reason": "production is down"}""",
                List.of(ReviewFields.PROJECT, diff, REVISION, BY.must(), reason.must()),
                List.of(
                        Field.flag("overridden", "it may go in").must(),
                        ReviewFields.REVISION,
                        PROJECT_KEY,
                        BY.must(),
                        reason.must(),
                        Field.time("at", "when it was overridden; the first override stands")
                                .must()),
                Verb.Nature.CHANGE,
                this::override);
    }

    private Answer check(Arguments given) {
        String project = given.textOrNull("project");
        String content = given.textOrNull("diff");
        oneOf(given);
        Approvals.Answer answer = content == null
                ? approvals.checkRevision(project, given.text("revision"))
                : approvals.checkDiff(
                        project, content, given.textOrNull("moved_from"), (int) given.number("digits", Bases.DIGITS));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("approved", !(answer instanceof NotApproved));
        json.put("revision", answer.revision());
        json.put("project", Project.key(project));
        switch (answer) {
            case Approved approved -> {
                json.put("review_id", approved.reviewId());
                ClaimVerbs.putIfGiven(json, "reviewer", approved.reviewer());
                ClaimVerbs.putIfGiven(json, "known_by", approved.knownBy());
                ClaimVerbs.putIfGiven(json, "engine", approved.engine());
                ClaimVerbs.putIfGiven(json, "read_all", approved.readAll());
                json.put("at", ClaimJson.time(approved.at()));
            }
            case Overridden override -> {
                Map<String, @Nullable Object> opened = new LinkedHashMap<>();
                opened.put("by", override.by());
                ClaimVerbs.putIfGiven(opened, "known_by", override.knownBy());
                opened.put("reason", override.reason());
                json.put("override", opened);
                json.put("at", ClaimJson.time(override.at()));
            }
            case NotApproved not -> {
                Review review = not.review();
                json.put("why", word(not.why()));
                if (review != null) {
                    json.put("review_id", review.id());
                    json.put("status", review.status().toString());
                }
                json.put("message", message(not));
                if (!not.movable().isEmpty()) {
                    json.put(
                            "may_have_moved",
                            not.movable().stream().map(ApprovalVerbs::told).toList());
                }
            }
        }
        return Answer.of(json);
    }

    private Answer override(Arguments given) {
        String project = given.textOrNull("project");
        String content = given.textOrNull("diff");
        oneOf(given);
        Caller caller = given.origin().caller();
        Overridden override = content == null
                ? approvals.overrideRevision(
                        project, given.text("revision"), given.text("by"), given.text("reason"), caller)
                : approvals.overrideDiff(project, content, given.text("by"), given.text("reason"), caller);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("overridden", true);
        json.put("revision", override.revision());
        json.put("project", override.project());
        json.put("by", override.by());
        json.put("reason", override.reason());
        json.put("at", ClaimJson.time(override.at()));
        return Answer.of(json);
    }

    private static Map<String, @Nullable Object> told(Moved moved) {
        List<Map<String, @Nullable Object>> files = moved.files().stream()
                .map(file -> JsonObject.of("path", file.oldPath(), "reviewed", file.reviewed(), "asked", file.asked()))
                .toList();
        return JsonObject.of("review_id", moved.reviewId(), "files", files);
    }

    private static void oneOf(Arguments given) {
        if (given.has("diff") == given.has("revision")) {
            throw new InvalidException("give either diff or revision");
        }
    }

    private static String message(NotApproved not) {
        Review review = not.review();
        String named = review == null ? "" : "review " + review.id();
        String project = review == null || review.project() == null ? "no project" : "project " + review.project();
        return switch (not.why()) {
            case PENDING ->
                "This content is up for review in " + named + standing(review)
                        + ". Wait for its verdict: get_review_status with wait: true.";
            case CHANGES_REQUESTED ->
                named + " asks for changes to this content" + said(review)
                        + ". Change it, and hand it in with create_review and this review_id.";
            case VOIDED ->
                "This content was approved in " + named
                        + ", which was withdrawn since: the approval is void. Propose it again with create_review.";
            case REVISED ->
                named + " had this content up and has gone on to another one. Use that one, or propose this"
                        + " one with create_review.";
            case ENDED -> named + " had this content up and ended without approving it. Propose it with create_review.";
            case OTHER_PLACE ->
                named + " (" + statusOf(review) + ") says the same" + places(not.elsewhere())
                        + ", and it is not known that this is the same place. Propose it for this place with"
                        + " create_review.";
            case OTHER_PROJECT ->
                "This content is approved by " + named + " of " + project
                        + ", not of this one. Ask for that project, or propose it for this one with create_review.";
            case OTHER_CONTENT ->
                "This content was not reviewed; nearest is " + named + " (" + statusOf(review)
                        + "), with other content of the same files: something was changed since. Propose it with"
                        + " create_review.";
            case NEVER_REVIEWED -> "This content was never reviewed. Propose it with create_review.";
        };
    }

    private static String places(@Nullable Elsewhere elsewhere) {
        if (elsewhere == null) {
            return " of other lines";
        }
        String path = elsewhere.path();
        String lines = elsewhere.lines() == 0 ? "" : " of " + lines(elsewhere.reviewed(), elsewhere.lines());
        return switch (elsewhere.difference()) {
            case LINES -> lines + " of " + path + ", this is " + lines(elsewhere.asked(), elsewhere.lines());
            case HEADING -> lines + " of " + path + ", under another heading than git tells after @@";
            case MODE -> lines + " of " + path + " as another kind of file (see the mode in the index line)";
            case UNKNOWN_VERSION ->
                lines + " of " + path + ", in a diff without the index line that tells which version it is of";
            case VERSION -> lines + " of another version of " + path;
        };
    }

    private static String lines(int first, int count) {
        return count < 2 ? "line " + first : "lines " + first + "-" + (first + count - 1);
    }

    private static String standing(@Nullable Review review) {
        if (review == null || review.claimedBy() == null) {
            return "";
        }
        return ", with " + review.claimedBy();
    }

    private static String said(@Nullable Review review) {
        String reason = review == null ? null : review.verdictReason();
        return reason == null ? "" : ": " + (reason.length() <= 200 ? reason : reason.substring(0, 200) + "…");
    }

    private static String statusOf(@Nullable Review review) {
        return review == null ? "" : review.status().toString();
    }

    private static List<String> words() {
        return Arrays.stream(Why.values()).map(ApprovalVerbs::word).toList();
    }

    private static String word(Why why) {
        return why.name().toLowerCase(Locale.ROOT);
    }
}
