package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Event;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.finding.Finding.State;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.finding.Remarks.Raised;
import dev.holdfast.review.finding.Severity;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Findings: pointed at lines, carried from content to content, in the way of an approval. */
abstract class FindingsContract extends OnReviews {
    /** Adds three lines after the first of x, and changes y. */
    static final String FIRST = diff("one", "two", "three");

    FindingsContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_finding_is_open_at_its_line_and_tells_who_raised_it() {
        String id = claimed(FIRST, "ann");
        Verdicts.Submitted said = say(id, "comment", "hm", "ann", raise(3, Severity.NOTE));
        assertThat(said.findings()).containsExactly("f1");
        Finding finding = finding(id);
        assertThat(finding.state()).isEqualTo(State.OPEN);
        assertThat(finding.path() + ":" + finding.line()).isEqualTo("x:3");
        assertThat(finding.excerpt()).isEqualTo("two");
        assertThat(finding.raisedBy()).isEqualTo("ann");
        assertThat(finding.round()).isEqualTo(1);
        assertThat(shown(id).openFindings()).isEqualTo(1);
        assertThat(shown(id).blockingFindings()).isZero();
        Event event = events(id).getLast();
        assertThat(event.type()).isEqualTo("verdict_comment");
        assertThat(detail(event).at("/metadata/findings/0/id").asString()).isEqualTo("f1");
        assertThat(detail(event).at("/metadata/findings/0/line").asInt()).isEqualTo(3);
    }

    @Test
    void a_finding_of_round_one_is_open_outdated_or_resolved_in_round_two_as_the_lines_say() {
        String id = claimed(FIRST, "ann");
        say(
                id,
                "changes_requested",
                "see findings",
                "ann",
                Remarks.raise(at("x", 3, Severity.MUST_FIX), at("x", 2, Severity.NOTE), at("y", 1, Severity.NOTE)));
        String lower = "--- a/x\n+++ b/x\n@@ -1,2 +1,6 @@\n a\n+zero\n+one\n+two\n+three\n b\n";
        revise(id, proposal().diff(lower));
        List<Finding> now = findings(id);
        assertThat(now).extracting(Finding::state).containsExactly(State.OPEN, State.OUTDATED, State.RESOLVED);
        assertThat(now.get(0).line()).as("it moved down").isEqualTo(4);
        assertThat(now.get(1).line())
                .as("it was raised at line 2; the line before it is new")
                .isEqualTo(2);
        assertThat(now.get(2).settled()).as("y is not touched any more").isEmpty();
    }

    @Test
    void a_finding_on_several_lines_moves_with_them_and_is_outdated_when_one_changes() {
        String id = requested(FIRST, "ann", Remarks.raise(range(2, 4)));
        assertThat(finding(id).place()).isEqualTo("x:2-4");
        assertThat(finding(id).excerpt()).isEqualTo("three");
        revise(id, proposal().diff("--- a/x\n+++ b/x\n@@ -1,3 +1,6 @@\n 0\n a\n+one\n+two\n+three\n b\n"));
        assertThat(finding(id).state()).isEqualTo(State.OPEN);
        assertThat(finding(id).place()).isEqualTo("x:3-5");
        revise(id, proposal().diff(diff("ONE", "two", "three")));
        assertThat(finding(id).state()).isEqualTo(State.OUTDATED);
        assertThat(finding(id).place()).as("where it was raised").isEqualTo("x:2-4");
        revise(id, proposal().diff(diff("one", "two", "other")));
        assertThat(finding(id).state()).as("two of its lines are still there").isEqualTo(State.OUTDATED);
        revise(id, proposal().diff("--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"));
        assertThat(finding(id).state()).isEqualTo(State.RESOLVED);
    }

    @Test
    void several_lines_are_shown_in_one_piece_and_end_after_they_begin() {
        String id = claimed(FIRST, "ann");
        assertRefused(
                () -> say(id, "comment", "hm", "ann", Remarks.raise(range(3, 9))),
                "invalid",
                "does not show lines 3 to 9 in one piece of the new x; it shows 1-5");
        assertRefused(
                () -> say(id, "comment", "hm", "ann", Remarks.raise(range(3, 2))),
                "invalid",
                "start_line is the first");
        assertRefused(
                () -> say(id, "comment", "hm", "ann", Remarks.raise(range(1, 1_001))), "invalid", "at most 1000 lines");
        say(id, "comment", "hm", "ann", Remarks.raise(range(2, 3)));
        assertThat(say(id, "comment", "hm", "ann", Remarks.raise(range(2, 3), at("x", 3, Severity.MUST_FIX)))
                        .findings())
                .as("the same again is no other finding; one of its lines is")
                .containsExactly("f1", "f2");
    }

    @Test
    void what_became_of_a_finding_is_known_of_every_round() {
        String id = requested(FIRST, "ann", raise(3, Severity.MUST_FIX));
        revise(id, proposal().diff(diff("one", "TWO", "three")));
        revise(id, proposal().diff("--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"));
        revise(id, proposal().diff(FIRST));
        assertThat(finding(id).past()).containsExactly(State.OUTDATED, State.RESOLVED, State.OPEN);
    }

    private static Raised range(int start, int line) {
        return new Raised("x", Side.NEW, start, line, Severity.MUST_FIX, "this is wrong", null);
    }

    @Test
    void lines_that_come_back_bring_their_finding_back() {
        String id = requested(FIRST, "ann", raise(3, Severity.MUST_FIX));
        revise(id, proposal().diff(diff("one", "TWO", "three")));
        assertThat(finding(id).state()).isEqualTo(State.OUTDATED);
        revise(id, proposal().diff("--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"));
        assertThat(finding(id).state()).isEqualTo(State.RESOLVED);
        revise(id, proposal().diff(FIRST));
        assertThat(finding(id).state()).isEqualTo(State.OPEN);
        claimAndRead(id, "bob");
        blocked(id, "bob");
    }

    @Test
    void a_round_without_a_readable_diff_resolves_nothing() {
        String id = requested(FIRST, "ann", raise(3, Severity.MUST_FIX));
        revise(id, proposal());
        assertThat(finding(id).state()).isEqualTo(State.OUTDATED);
        revise(id, proposal().diff("no diff").skipDiffValidation(true));
        assertThat(finding(id).state()).isEqualTo(State.OUTDATED);
    }

    @Test
    void a_file_that_is_only_renamed_takes_its_finding_out_of_nobodys_sight() {
        String created = "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+one\n+two\n";
        String id = requested(created, "ann", Remarks.raise(at("new", 2, Severity.MUST_FIX)));
        revise(id, proposal().diff(created.replace("b/new", "b/other")));
        assertThat(finding(id).state()).isEqualTo(State.OUTDATED);
    }

    @Test
    void an_accepted_counter_patch_carries_findings_too() {
        String id = claimed(FIRST, "ann");
        submit(
                id,
                Verdicts.Submission.of("changes_requested", "like this", new Fence("ann", null))
                        .counterPatch(diff("one", "TWO", "three"))
                        .remarks(Remarks.raise(at("x", 3, Severity.MUST_FIX), at("y", 1, Severity.NOTE))));
        acceptCounterPatch(id);
        assertThat(findings(id)).extracting(Finding::state).containsExactly(State.OUTDATED, State.OPEN);
    }

    @Test
    void approval_with_an_open_must_fix_is_refused_with_the_finding_named() {
        String id = claimed(FIRST, "ann");
        say(id, "comment", "wait", "ann", raise(3, Severity.MUST_FIX));
        assertThatThrownBy(() -> say(id, "approved", null, "ann", Remarks.NONE))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.code()).hasToString("bad_state");
                    assertThat(refused.details()).containsEntry("findings", List.of("f1"));
                })
                .hasMessageStartingWith(
                        "Approval blocked by finding f1 (must_fix, open) at x:3, raised by ann in round 1:"
                                + " this is wrong. If it is fixed, the reviewer who raised it resolves it: resolved: [\"f1\"];");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown(id).blockingFindings()).isEqualTo(1);
        assertThat(say(id, "approved", null, "ann", Remarks.resolve("f1")).status())
                .isEqualTo(ReviewStatus.APPROVED);
        assertThat(eventTypes(id))
                .containsExactly(
                        "review_created", "claimed", "verdict_comment", "finding_resolved", "verdict_submitted");
        assertThat(finding(id).settled().orElseThrow().by()).isEqualTo("ann");
    }

    @Test
    void an_outdated_must_fix_blocks_until_somebody_has_looked() {
        String id = requested(FIRST, "ann", raise(3, Severity.MUST_FIX));
        revise(id, proposal().diff(diff("one", "TWO", "three")));
        claimAndRead(id, "bob");
        blocked(id, "bob");
        assertRefused(
                () -> say(id, "approved", null, "bob", Remarks.resolve("f1")),
                "forbidden",
                "Only ann can resolve finding f1. If it no longer applies, waive it");
        assertThat(finding(id).settled()).isEmpty();
        say(id, "approved", null, "bob", Remarks.waive("f1", "TWO is right"));
        assertThat(finding(id).state()).isEqualTo(State.WAIVED);
        Event waived = events(id).get(events(id).size() - 2);
        assertThat(waived.type()).isEqualTo("finding_waived");
        assertThat(waived.actor()).isEqualTo("bob");
        assertThat(detail(waived).at("/metadata/reason").asString()).isEqualTo("TWO is right");
        assertThat(detail(waived).at("/metadata/raised_by").asString()).isEqualTo("ann");
    }

    @Test
    void what_should_be_fixed_and_notes_block_nothing() {
        String id = claimed(FIRST, "ann");
        Remarks remarks = Remarks.raise(at("x", 2, Severity.SHOULD_FIX), at("x", 3, Severity.NOTE));
        assertThat(say(id, "approved", "fine, but", "ann", remarks).status()).isEqualTo(ReviewStatus.APPROVED);
        assertThat(shown(id).openFindings()).isEqualTo(2);
    }

    @Test
    void an_approval_cannot_raise_what_must_be_fixed() {
        String id = claimed(FIRST, "ann");
        assertRefused(
                () -> say(id, "approved", null, "ann", raise(3, Severity.MUST_FIX)),
                "invalid",
                "An approval cannot raise a must_fix finding (findings[0])");
    }

    @Test
    void a_displaced_reviewer_neither_raises_nor_resolves_nor_waives() {
        String id = claimed(FIRST, "ann");
        say(id, "comment", "hm", "ann", raise(3, Severity.MUST_FIX));
        on.settableClock().advance(Duration.ofMinutes(21));
        claim(id, "bob");
        for (Remarks late : List.of(
                raise(2, Severity.NOTE),
                Remarks.raise(at("none", 99, Severity.NOTE)),
                Remarks.resolve("f1"),
                Remarks.waive("f1", "never mind"))) {
            assertRefused(() -> say(id, "comment", "late", "ann", late), "wrong_holder", "claimed by bob, not ann");
            assertRefused(
                    () -> submit(
                            id,
                            Verdicts.Submission.of("changes_requested", "late", new Fence(null, 1L))
                                    .remarks(late)),
                    "stale",
                    "Stale claim");
        }
        assertThat(findings(id)).extracting(Finding::state).containsExactly(State.OPEN);
    }

    @Test
    void a_finding_that_points_at_nothing_is_refused_and_says_what_there_is() {
        String id = claimed(FIRST, "ann");
        pointless(id, at("b/x", 3, Severity.NOTE), "findings[0]: this round's diff has no new file b/x; it has x, y");
        pointless(
                id,
                at("x", 9, Severity.NOTE),
                "findings[0]: this round's diff does not show line 9 of the new x; it shows 1-5");
        pointless(
                id,
                new Raised("x", Side.OLD, 3, Severity.NOTE, "m", null),
                "does not show line 3 of the old x; it shows 1-2");
        assertThat(findings(id)).isEmpty();
        String plan = create();
        claim(plan, "ann");
        pointless(plan, at("x", 1, Severity.NOTE), "This proposal has no diff, so findings cannot point at lines");
        assertThatThrownBy(() -> say(
                        id,
                        "comment",
                        "m",
                        "ann",
                        Remarks.raise(new Raised("x", Side.NEW, 1, Severity.NOTE, " ", null))))
                .isInstanceOf(InvalidException.class);
        assertRefused(() -> say(id, "comment", "m", "ann", Remarks.resolve("f7")), "not_found", "no finding f7");
    }

    @Test
    void findings_are_limited_in_number_and_size() {
        String id = claimed(FIRST, "ann");
        assertRefused(
                () -> say(
                        id,
                        "comment",
                        "m",
                        "ann",
                        Remarks.raise(Collections.nCopies(51, at("x", 1, Severity.NOTE))
                                .toArray(Raised[]::new))),
                "too_large",
                "at most 50 findings at once");
        Raised long_ = new Raised("x", Side.NEW, 1, Severity.NOTE, "x".repeat(4_001), null);
        assertRefused(() -> say(id, "comment", "m", "ann", Remarks.raise(long_)), "too_large", "findings[0].message");
    }

    @Test
    void a_finding_on_a_content_that_its_reviewer_was_not_shown_is_stale() {
        String id = claimed(FIRST, "ann");
        submit(
                id,
                Verdicts.Submission.of("comment", "like this", new Fence("ann", null))
                        .counterPatch(diff("one", "TWO", "three")));
        acceptCounterPatch(id);
        assertRefused(() -> say(id, "comment", "hm", "ann", raise(3, Severity.NOTE)), "stale", "Stale revision");
        read(id, "ann");
        assertThat(say(id, "comment", "hm", "ann", raise(3, Severity.NOTE)).findings())
                .containsExactly("f1");
    }

    @Test
    void the_same_finding_said_twice_is_one() {
        String id = claimed(FIRST, "ann");
        say(id, "comment", "hm", "ann", raise(3, Severity.MUST_FIX));
        Verdicts.Submitted again = say(id, "changes_requested", "no", "ann", raise(3, Severity.MUST_FIX));
        assertThat(again.findings()).containsExactly("f1");
        Verdicts.Submitted repeated = say(id, "changes_requested", "no", "ann", raise(3, Severity.MUST_FIX));
        assertThat(repeated.replayed()).isTrue();
        assertThat(repeated.findings()).containsExactly("f1");
        assertRefused(
                () -> say(id, "changes_requested", "no", "ann", raise(2, Severity.MUST_FIX)),
                "bad_state",
                "Invalid transition");
        assertThat(findings(id)).hasSize(1);
    }

    @Test
    void an_approval_never_stands_beside_an_open_must_fix_whoever_is_first() throws Exception {
        for (int i = 0; i < 30; i++) {
            String id = claimed(FIRST, "ann");
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<@Nullable Object> approval =
                    CompletableFuture.supplyAsync(() -> attempt(start, id, "approved", Remarks.NONE));
            attempt(start, id, "comment", raise(3, Severity.MUST_FIX));
            approval.join();
            Review review = shown(id);
            assertThat(review.status() == ReviewStatus.APPROVED)
                    .as("%s with %d in the way", review.status(), review.blockingFindings())
                    .isEqualTo(review.blockingFindings() == 0);
        }
    }

    @Test
    void a_finding_raised_while_its_review_is_revised_is_carried_or_refused() throws Exception {
        for (int i = 0; i < 30; i++) {
            String id = claimed(FIRST, "ann");
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<@Nullable Object> revision = CompletableFuture.supplyAsync(() -> {
                meet(start);
                return revise(id, proposal().diff(diff("one", "TWO", "three")));
            });
            attempt(start, id, "comment", raise(3, Severity.MUST_FIX));
            revision.join();
            assertThat(findings(id)).allMatch(finding -> finding.state() == State.OUTDATED);
        }
    }

    private @Nullable Object attempt(CyclicBarrier start, String id, String verdict, Remarks remarks) {
        meet(start);
        try {
            return say(id, verdict, "at the same time", "ann", remarks);
        } catch (RefusedException refused) {
            return refused;
        }
    }

    private static String diff(String first, String second, String third) {
        return "--- a/x\n+++ b/x\n@@ -1,2 +1,5 @@\n a\n+" + first + "\n+" + second + "\n+" + third
                + "\n b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    }

    private static Raised at(String path, int line, Severity severity) {
        return new Raised(path, Side.NEW, line, severity, "this is wrong", null);
    }

    private static Remarks raise(int line, Severity severity) {
        return Remarks.raise(at("x", line, severity));
    }

    private String claimed(String diff, String reviewer) {
        String id = reviews.proposals().create(proposal().diff(diff)).id();
        claimAndRead(id, reviewer);
        return id;
    }

    private String requested(String diff, String reviewer, Remarks remarks) {
        String id = claimed(diff, reviewer);
        say(id, "changes_requested", "see findings", reviewer, remarks);
        return id;
    }

    private Verdicts.Submitted say(String id, String verdict, @Nullable String reason, String who, Remarks remarks) {
        return submit(
                id,
                Verdicts.Submission.of(verdict, reason, new Fence(who, null)).remarks(remarks));
    }

    private void blocked(String id, String reviewer) {
        assertRefused(
                () -> say(id, "approved", null, reviewer, Remarks.NONE), "bad_state", "Approval blocked by finding f1");
    }

    private void pointless(String id, Raised raised, String why) {
        assertRefused(() -> say(id, "comment", "m", "ann", Remarks.raise(raised)), "invalid", why);
    }

    private List<Finding> findings(String id) {
        return reviews.reading().proposal(id, null).orElseThrow().findings();
    }

    private Finding finding(String id) {
        List<Finding> all = findings(id);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }
}
