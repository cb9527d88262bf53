package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Fence;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.Attention;
import dev.holdfast.review.record.Attention.Turn;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose turn it is, since when; and what changed between two rounds. */
abstract class AttentionContract extends OnReviews {
    private static final String FIRST = "--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n a\n+one\n+two\n b\n";
    private static final String SECOND = "--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n a\n+one\n+TWO\n b\n";

    AttentionContract(Engine engine) {
        super(engine);
    }

    @Test
    void the_turn_goes_back_and_forth_and_ends_with_nobody() {
        String id = reviews.proposals().create(proposal().diff(FIRST)).id();
        Instant created = shown(id).createdAt();
        turn(id, Turn.REVIEWER, null, created);
        minute();
        claim(id, "ann");
        turn(id, Turn.REVIEWER, "ann", created);

        Instant asked = minute();
        addMessage(id, "reviewer", "why?", null);
        turn(id, Turn.PROPOSER, "gsd-executor", asked);
        Instant answered = minute();
        addMessage(id, "proposer", "because", null);
        turn(id, Turn.REVIEWER, "ann", answered);

        Instant suggested = minute();
        submit(
                id,
                Verdicts.Submission.of("comment", "or so", new Fence("ann", null))
                        .counterPatch(SECOND));
        turn(id, Turn.PROPOSER, "gsd-executor", suggested);
        Instant accepted = minute();
        acceptCounterPatch(id);
        turn(id, Turn.REVIEWER, "ann", accepted);

        read(id, "ann");
        Instant judged = minute();
        verdict(id, "changes_requested", "no", "ann", null);
        turn(id, Turn.PROPOSER, "gsd-executor", judged);
        Instant revised = minute();
        revise(id, proposal().diff(FIRST));
        turn(id, Turn.REVIEWER, null, revised);
        claim(id, "bob");
        Instant approved = minute();
        read(id, "bob");
        verdict(id, "approved", null, "bob", null);
        turn(id, Turn.PROPOSER, "gsd-executor", approved);
        Instant closed = minute();
        reviews.proposals().close(id, "proposer");
        turn(id, Turn.NOBODY, null, closed);
    }

    @Test
    void who_is_to_have_it_next_is_named() {
        String id = create();
        claim(id, "ann");
        verdict(id, "changes_requested", "no", "ann", null);
        comingBack.add("ann");
        Instant answered = minute();
        addMessage(id, "proposer", "better?", null);
        turn(id, Turn.REVIEWER, "ann", answered);
    }

    @Test
    void a_question_of_a_reviewer_who_is_gone_holds_nobody_up() {
        String id = create();
        Instant created = shown(id).createdAt();
        claim(id, "ann");
        minute();
        addMessage(id, "reviewer", "why?", null);
        reviews.reclaims().reclaim(id, "dead");
        turn(id, Turn.REVIEWER, null, created);
        minute();
        claim(id, "bob");
        turn(id, Turn.REVIEWER, "bob", created);
    }

    @Test
    void what_waits_longest_comes_first_when_asked_for() {
        String first = create();
        minute();
        String urgent = reviews.proposals()
                .create(Proposal.of("plan", "gsd-planner", "proposer", "7"))
                .id();
        minute();
        String third = create();
        String gone = create();
        withdraw(gone, "not needed");
        minute();
        claim(first, "ann");
        verdict(first, "changes_requested", "no", "ann", null);

        assertThat(reviews.catalogue().list(ReviewFilter.ALL, Page.Request.ALL).entries())
                .extracting(Review::id)
                .containsExactly(urgent, first, third, gone);
        Page<Review> page = reviews.catalogue().longestWaiting(ReviewFilter.ALL, new Page.Request(2, null));
        assertThat(page.entries()).extracting(Review::id).containsExactly(urgent, third);
        Page<Review> rest = reviews.catalogue().longestWaiting(ReviewFilter.ALL, new Page.Request(2, page.next()));
        assertThat(rest.entries()).extracting(Review::id).containsExactly(first);
        assertThat(rest.next()).isNull();
        assertThat(reviews.catalogue()
                        .longestWaiting(new ReviewFilter("pending", null, Set.of("webshop")), Page.Request.ALL)
                        .entries())
                .extracting(Review::id)
                .containsExactly(third);
    }

    @Test
    void the_interdiff_of_two_rounds_shows_just_what_changed() {
        String id = reviews.proposals().create(proposal().diff(FIRST)).id();
        claim(id, "ann");
        verdict(id, "changes_requested", "no", "ann", null);
        revise(id, proposal().diff(SECOND));
        ProposalReader.Compared compared = compare(id, 2, 1);
        assertThat(compared.before().round()).isEqualTo(1);
        assertThat(compared.text().lines().filter(line -> line.matches("[-+][^-+].*")))
                .containsExactly("-two", "+TWO");
        assertThat(compare(id, 1, 2).text()).contains("-TWO\n", "+two\n");
        revise(id, proposal().diff(SECOND));
        assertThat(compare(id, 3, 2).text()).isEmpty();
    }

    @Test
    void a_round_compared_with_itself_shows_what_its_counter_patch_changed() {
        String id = reviews.proposals().create(proposal().diff(FIRST)).id();
        claim(id, "ann");
        assertRefused(() -> compare(id, 1, 1), "invalid", "Round 1 has only one content");
        submit(
                id,
                Verdicts.Submission.of("comment", "or so", new Fence("ann", null))
                        .counterPatch(SECOND));
        acceptCounterPatch(id);
        assertThat(compare(id, 1, 1).text()).contains("-two\n", "+TWO\n");
    }

    @Test
    void rounds_that_are_not_there_or_have_no_diff_cannot_be_compared() {
        String id = reviews.proposals().create(proposal().diff(FIRST)).id();
        claim(id, "ann");
        verdict(id, "changes_requested", "no", "ann", null);
        revise(id, proposal());
        assertRefused(() -> compare(id, 2, 5), "not_found", "has no round 5; its last is 2");
        assertRefused(() -> compare(id, 2, 0), "not_found", "has no round 0; its last is 2");
        assertRefused(() -> compare(id, 2, 1), "bad_state", "Round 2 cannot be compared: it has no diff");
    }

    private ProposalReader.Compared compare(String id, long round, long against) {
        return reviews.reading().compare(reviews.reading().proposal(id, round).orElseThrow(), against);
    }

    private Instant minute() {
        on.settableClock().advance(Duration.ofMinutes(1));
        return on.settableClock().now();
    }

    private void turn(String id, Turn turn, @Nullable String who, Instant since) {
        assertThat(shown(id).attention()).isEqualTo(new Attention(turn, who, since));
    }
}
