package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.event.Event;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.Approvals.Decision;
import dev.holdfast.review.approval.Approvals.Why;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.diff.ContentHash;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.PositionDifference;
import dev.holdfast.review.diff.PositionDifference.Difference;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.Engine;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether a content may go in. */
abstract class ApprovalsContract extends OnReviews {
    private static final String PROJECT = "Web Shop";
    private static final String TOP_FOLDER = "/home/ann/web-shop";
    private static final String DIFF = diff("b");
    private static final String MOVED = DIFF.replace("@@ -1,2 +1,2 @@", "@@ -7,2 +7,2 @@");

    ApprovalsContract(Engine engine) {
        super(engine);
    }

    /** With the version of the file that it was made from. */
    private static String of(String version, String diff) {
        return diff.replace("--- a/x", "index " + version + "..fedcba9 100644\n--- a/x");
    }

    private static String diff(String line) {
        return "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-a\n+" + line + "\n";
    }

    @Test
    void what_nobody_has_seen_was_never_reviewed() {
        assertNotApproved(check(DIFF), Why.NEVER_REVIEWED, null);
    }

    @Test
    void what_waits_for_a_reviewer_or_has_one_is_pending() {
        String id = propose(DIFF);
        assertNotApproved(check(DIFF), Why.PENDING, id);
        claim(id, "reviewer-a");
        assertNotApproved(check(DIFF), Why.PENDING, id);
    }

    @Test
    void an_approved_content_is_approved_by_review_reviewer_and_time() {
        String id = approve(propose(DIFF));
        Decision.Approved approved = (Decision.Approved) check(DIFF);
        assertThat(approved.reviewId()).isEqualTo(id);
        assertThat(approved.reviewer()).isEqualTo("reviewer-a");
        assertThat(approved.at())
                .isEqualTo(on.store()
                        .read(transaction -> VerdictTable.all(transaction, id).get())
                        .getFirst()
                        .at());
        assertThat(reviews.approvals().checkRevision(TOP_FOLDER, approved.revision()))
                .isEqualTo(approved);
    }

    @Test
    void closing_an_approved_review_keeps_the_approval() {
        String id = approve(propose(DIFF));
        reviews.proposals().close(id, "proposer");
        assertThat(check(DIFF)).isInstanceOf(Decision.Approved.class);
    }

    @Test
    void withdrawing_an_approved_review_voids_the_approval() {
        String id = approve(propose(DIFF));
        withdraw(id, "found a hole in it");
        assertNotApproved(check(DIFF), Why.VOIDED, id);
        String again = approve(propose(DIFF));
        assertThat(((Decision.Approved) check(DIFF)).reviewId()).isEqualTo(again);
    }

    @Test
    void a_withdrawn_proposal_ended_without_approval() {
        String id = propose(DIFF);
        withdraw(id, "not needed");
        assertNotApproved(check(DIFF), Why.ENDED, id);
    }

    @Test
    void a_heading_that_was_left_out_and_a_lost_final_newline_keep_the_approval() {
        approve(propose(DIFF));
        assertThat(check(DIFF.replace("@@ -1,2 +1,2 @@", "@@ -1,2 +1,2 @@ void f()")))
                .isInstanceOf(Decision.Approved.class);
        assertThat(check(DIFF.strip())).isInstanceOf(Decision.Approved.class);
    }

    @Test
    void the_same_change_of_other_lines_is_not_approved_and_both_places_are_named() {
        String id = approve(propose(DIFF));
        Decision answer = check(MOVED);
        assertNotApproved(answer, Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) answer).elsewhere())
                .isEqualTo(new PositionDifference("x", 1, 7, 2, Difference.LINES));
        assertThat(answer.revision()).isNotEqualTo(shown(id).revision());
        assertNotApproved(reviews.approvals().checkDiff("other", MOVED), Why.NEVER_REVIEWED, null);
        withdraw(id, "not needed");
        assertNotApproved(check(MOVED), Why.NEVER_REVIEWED, null);
    }

    @Test
    void the_same_lines_of_another_version_of_the_file_are_another_place() {
        String id = approve(propose(of("1234567", DIFF)));
        assertThat(check(of("1234567", DIFF))).isInstanceOf(Decision.Approved.class);
        assertThat(check(of("123456789abcdef", DIFF)))
                .as("more digits of the same")
                .isInstanceOf(Decision.Approved.class);
        Decision answer = check(of("7654321", DIFF));
        assertNotApproved(answer, Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) answer).elsewhere())
                .isEqualTo(new PositionDifference("x", 1, 1, 2, Difference.VERSION));
        assertNotApproved(check(DIFF), Why.OTHER_PLACE, id);
    }

    @Test
    void versions_are_compared_by_as_many_digits_as_there_are() {
        approve(propose(of("1234567aaaaaaa", DIFF)));
        assertThat(check(of("1234567aaaaaaa", DIFF))).isInstanceOf(Decision.Approved.class);
        assertThat(check(of("1234567", DIFF))).isInstanceOf(Decision.Approved.class);
        assertThat(check(of("1234567bbbbbbb", DIFF))).isInstanceOf(Decision.NotApproved.class);
    }

    /** Whoever can make two versions of a file whose ids begin alike must not win by that. */
    @Test
    void what_was_reviewed_with_too_few_digits_for_this_repository_is_not_approved() {
        String id = approve(propose(of("1234567", DIFF)));
        String asked = of("1234567aaaaaaa", DIFF);
        assertThat(reviews.approvals().checkDiff(PROJECT, asked, null, 7)).isInstanceOf(Decision.Approved.class);
        assertNotApproved(reviews.approvals().checkDiff(PROJECT, asked, null, 8), Why.OTHER_PLACE, id);
        approve(propose(of("1234567a", DIFF)));
        assertThat(reviews.approvals().checkDiff(PROJECT, asked, null, 8)).isInstanceOf(Decision.Approved.class);
    }

    @Test
    void a_heading_that_git_does_not_tell_is_another_place() {
        String id = approve(propose(of("1234567", DIFF.replace(" @@\n", " @@ staging:\n"))));
        String truly = of("1234567", DIFF.replace(" @@\n", " @@ production:\n"));
        Decision answer = check(truly);
        assertNotApproved(answer, Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) answer).elsewhere())
                .isEqualTo(new PositionDifference("x", 1, 1, 2, Difference.HEADING));
        assertThat(((Decision.NotApproved) answer).movable()).isEmpty();
        assertNotApproved(check(of("1234567", DIFF)), Why.OTHER_PLACE, id);
        assertNotApproved(reviews.approvals().checkDiff(PROJECT, truly, id, 7), Why.OTHER_PLACE, id);
        assertThat(check(truly.replace("production", "staging"))).isInstanceOf(Decision.Approved.class);
    }

    @Test
    void what_was_reviewed_as_a_file_is_not_approved_for_a_link() {
        String id = approve(propose(of("1234567", DIFF)));
        String link = of("7654321", MOVED).replace("100644", "120000");
        Decision answer = check(link);
        assertNotApproved(answer, Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) answer).movable()).isEmpty();
        assertNotApproved(reviews.approvals().checkDiff(PROJECT, link, id, 7), Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) check(of("1234567", DIFF).replace("100644", "120000"))).elsewhere())
                .isEqualTo(new PositionDifference("x", 1, 1, 2, Difference.MODE));
    }

    @Test
    void a_diff_that_does_not_tell_its_version_is_approved_for_none() {
        String id = approve(propose(DIFF));
        Decision answer = check(of("1234567", DIFF));
        assertNotApproved(answer, Why.OTHER_PLACE, id);
        assertThat(((Decision.NotApproved) answer).elsewhere())
                .isEqualTo(new PositionDifference("x", 1, 1, 2, Difference.UNKNOWN_VERSION));
    }

    @Test
    void who_asks_is_told_what_it_may_have_moved_from_and_asks_again_with_that() {
        String id = approve(propose(of("1234567", DIFF)));
        String asked = of("7654321", MOVED);
        Decision.NotApproved refused = (Decision.NotApproved) check(asked);
        assertThat(refused.movable())
                .containsExactly(new Approvals.Moved(id, List.of(new BaseVersions.Pair("x", "1234567", "7654321"))));
        assertThat(((Decision.Approved) reviews.approvals().checkDiff(PROJECT, asked, id, BaseVersions.DIGITS))
                        .reviewId())
                .isEqualTo(id);

        String other = of("7654321", diff("c"));
        assertNotApproved(
                reviews.approvals().checkDiff(PROJECT, other, id, BaseVersions.DIGITS), Why.OTHER_CONTENT, id);
        assertNotApproved(
                reviews.approvals().checkDiff("other", asked, id, BaseVersions.DIGITS), Why.NEVER_REVIEWED, null);
        withdraw(id, "a hole");
        assertThat(reviews.approvals().checkDiff(PROJECT, asked, id, BaseVersions.DIGITS))
                .isInstanceOf(Decision.NotApproved.class);
    }

    @Test
    void what_waits_for_a_reviewer_cannot_have_been_moved_from() {
        String id = propose(of("1234567", DIFF));
        Decision.NotApproved refused =
                (Decision.NotApproved) reviews.approvals().checkDiff(PROJECT, MOVED, id, BaseVersions.DIGITS);
        assertNotApproved(refused, Why.OTHER_PLACE, id);
        assertThat(refused.movable()).isEmpty();
    }

    @Test
    void an_override_is_for_its_place() {
        Decision.Overridden given = reviews.approvals().overrideDiff(PROJECT, DIFF, "ann", "urgent", Caller.UNKNOWN);
        assertThat(check(DIFF)).isEqualTo(given);
        assertNotApproved(check(MOVED), Why.NEVER_REVIEWED, null);
    }

    /** As stores that were made before have them. */
    @Test
    void an_approval_by_r1_counts_wherever_it_is_until_the_next_round() {
        String id = propose(DIFF);
        madeBeforePlaces(id);
        assertThat(shown(id).revision()).startsWith("r1:");
        assertNotApproved(check(MOVED), Why.PENDING, id);
        approve(id);
        assertThat(((Decision.Approved) check(DIFF)).reviewId()).isEqualTo(id);
        assertThat(check(MOVED)).isInstanceOf(Decision.Approved.class);
        assertThat(reviews.approvals().checkRevision(PROJECT, shown(id).revision()))
                .isInstanceOf(Decision.Approved.class);
        assertThat(check(DIFF).revision()).startsWith("r2:");

        String again = propose(DIFF);
        withdraw(id, "to be reviewed again");
        approve(again);
        assertThat(check(DIFF)).isInstanceOf(Decision.Approved.class);
        assertNotApproved(check(MOVED), Why.VOIDED, id);
        assertThat(reviews.approvals().checkRevision(PROJECT, shown(again).revision()))
                .isInstanceOf(Decision.Approved.class);
    }

    @Test
    void an_approval_by_r1_ends_when_the_same_is_judged_again_at_its_place() {
        String id = propose(DIFF);
        madeBeforePlaces(id);
        approve(id);
        String again = propose(DIFF);
        assertThat(check(MOVED)).as("proposed, not judged").isInstanceOf(Decision.Approved.class);
        verdict(
                again,
                "changes_requested",
                "not there",
                "reviewer-b",
                claim(again, "reviewer-b").claim().generation());
        assertNotApproved(check(DIFF), Why.CHANGES_REQUESTED, again);
        assertThat(check(MOVED)).isInstanceOf(Decision.NotApproved.class);
        assertThat(reviews.approvals().checkRevision(PROJECT, shown(id).revision()))
                .isInstanceOf(Decision.NotApproved.class);
    }

    @Test
    void an_approval_by_r1_does_not_end_by_what_another_project_says() {
        String id = propose(DIFF);
        madeBeforePlaces(id);
        approve(id);
        approve(reviews.proposals()
                .create(proposal().project("other").diff(DIFF))
                .id());
        assertThat(check(MOVED)).isInstanceOf(Decision.Approved.class);
    }

    @Test
    void an_override_by_r1_counts_wherever_it_is() {
        Decision.Overridden given = reviews.approvals()
                .overrideRevision(
                        PROJECT,
                        ContentHash.wherever((Diff) Diff.parse(DIFF)).value(),
                        "ann",
                        "urgent",
                        Caller.UNKNOWN);
        assertThat(check(MOVED)).isEqualTo(given);
    }

    @Test
    void one_more_changed_line_is_another_content_and_the_nearest_review_is_named() {
        approve(propose("diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"));
        String id = approve(propose(DIFF));
        assertNotApproved(check(diff("b\n+c").replace("+1,2", "+1,3")), Why.OTHER_CONTENT, id);
        assertNotApproved(check(DIFF.replace(" same", " other")), Why.OTHER_CONTENT, id);
        assertNotApproved(
                check(DIFF.replace("--- a/x", "old mode 100644\nnew mode 100755\n--- a/x")), Why.OTHER_CONTENT, id);
        assertNotApproved(
                check("diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n"), Why.NEVER_REVIEWED, null);
    }

    @Test
    void what_was_sent_back_is_not_approved_and_neither_is_a_round_that_was_replaced() {
        String id = propose(DIFF);
        verdict(
                id,
                "changes_requested",
                "no",
                "reviewer-a",
                claim(id, "reviewer-a").claim().generation());
        assertNotApproved(check(DIFF), Why.CHANGES_REQUESTED, id);
        revise(id, proposal().diff(diff("c")));
        assertNotApproved(check(DIFF), Why.REVISED, id);
        assertNotApproved(check(diff("c")), Why.PENDING, id);
        approve(id);
        assertThat(check(diff("c"))).isInstanceOf(Decision.Approved.class);
        assertNotApproved(check(DIFF), Why.REVISED, id);
    }

    @Test
    void an_approval_counts_in_its_own_project_only() {
        String id = approve(propose(DIFF));
        assertNotApproved(reviews.approvals().checkDiff("other", DIFF), Why.OTHER_PROJECT, id);
        assertNotApproved(reviews.approvals().checkDiff(null, DIFF), Why.OTHER_PROJECT, id);
    }

    @Test
    void of_several_reviews_of_one_content_an_approval_wins_then_what_is_pending() {
        String sentBack = propose(DIFF);
        verdict(
                sentBack,
                "changes_requested",
                "no",
                "reviewer-a",
                claim(sentBack, "reviewer-a").claim().generation());
        String pending = propose(DIFF);
        assertNotApproved(check(DIFF), Why.PENDING, pending);
        String approved = approve(propose(DIFF));
        assertThat(((Decision.Approved) check(DIFF)).reviewId()).isEqualTo(approved);
    }

    @Test
    void an_override_lets_this_very_content_pass_and_is_in_the_audit() {
        Decision.Overridden given =
                reviews.approvals().overrideDiff(TOP_FOLDER, DIFF, " ann ", " production is down ", Caller.UNKNOWN);
        assertThat(given.by()).isEqualTo("ann");
        assertThat(given.reason()).isEqualTo("production is down");
        assertThat(given.project()).isEqualTo("webshop");
        assertThat(check(DIFF)).isEqualTo(given);
        assertThat(reviews.approvals().checkRevision(PROJECT, given.revision())).isEqualTo(given);
        assertNotApproved(check(diff("c")), Why.NEVER_REVIEWED, null);
        assertNotApproved(reviews.approvals().checkDiff("other", DIFF), Why.NEVER_REVIEWED, null);

        AuditEvent audited =
                reviews.history().events(null, Page.Request.ALL).entries().getLast();
        assertThat(audited.type()).isEqualTo("approval_overridden");
        assertThat(audited.actor()).isEqualTo("ann");
        assertThat(audited.reviewId()).isNull();
        assertThat(String.valueOf(audited.metadata()))
                .contains("production is down", "webshop", given.revision(), "\"x\"");
        Event event = claims.tail().after(0, 100).getLast();
        assertThat(event.type()).isEqualTo("approval_overridden");
    }

    @Test
    void the_first_override_of_a_content_stands() {
        Decision.Overridden first = reviews.approvals().overrideDiff(PROJECT, DIFF, "ann", "urgent", Caller.UNKNOWN);
        assertThat(reviews.approvals().overrideRevision(PROJECT, first.revision(), "bob", "me too", Caller.UNKNOWN))
                .isEqualTo(first);
        assertThat(claims.tail().after(0, 100)).hasSize(1);
    }

    @Test
    void an_override_without_a_reason_or_a_name_is_refused_and_nothing_changes() {
        assertThatThrownBy(() -> reviews.approvals().overrideDiff(PROJECT, DIFF, "ann", " ", Caller.UNKNOWN))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> reviews.approvals().overrideDiff(PROJECT, DIFF, "", "urgent", Caller.UNKNOWN))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("by");
        assertNotApproved(check(DIFF), Why.NEVER_REVIEWED, null);
        assertThat(claims.tail().after(0, 100)).isEmpty();
    }

    @Test
    void what_is_no_diff_and_no_revision_is_refused() {
        assertRefused(() -> check("hello"), "invalid", "the diff cannot be read");
        assertRefused(() -> check(""), "invalid", "the diff is empty");
        assertRefused(() -> reviews.approvals().checkRevision(PROJECT, "r1:abc"), "invalid", "64 hexadecimal");
        assertRefused(
                () -> check("x".repeat(ReviewLimits.DEFAULT.diffBytes() + 1)), "too_large", "the limit is 10485760");
    }

    @Test
    void a_text_without_a_diff_has_a_revision_that_can_be_asked_for() {
        String id = create();
        String revision = shown(id).revision();
        approve(id);
        assertThat(reviews.approvals().checkRevision(PROJECT, revision)).isInstanceOf(Decision.Approved.class);
    }

    private Decision check(String diff) {
        return reviews.approvals().checkDiff(PROJECT, diff);
    }

    private String propose(String diff) {
        return reviews.proposals().create(proposal().diff(diff)).id();
    }

    private String approve(String id) {
        verdict(
                id,
                "approved",
                null,
                "reviewer-a",
                claimAndRead(id, "reviewer-a").claim().generation());
        return id;
    }

    private static void assertNotApproved(Decision answer, Why why, @Nullable String id) {
        Decision.NotApproved not = (Decision.NotApproved) answer;
        assertThat(not.why()).isEqualTo(why);
        if (id == null) {
            assertThat(not.review()).isNull();
        } else {
            assertThat(Objects.requireNonNull(not.review()).id()).isEqualTo(id);
        }
    }
}
