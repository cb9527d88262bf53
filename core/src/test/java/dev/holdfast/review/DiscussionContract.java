package dev.holdfast.review;

import static dev.holdfast.review.LifecycleContract.DIFF;
import static dev.holdfast.review.LifecycleContract.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages in turns, reservations and counter-patches. */
abstract class DiscussionContract extends OnReviews {
    DiscussionContract(Engine engine) {
        super(engine);
    }

    @Test
    void messages_alternate_also_across_rounds() {
        String id = changesRequested();
        say(id, "reviewer", "see line 3");
        assertRefused(
                () -> say(id, "reviewer", "and line 4"),
                "bad_state",
                "Turn violation: 'reviewer' sent the last message. Messages must alternate between proposer and reviewer.");
        revise(id, proposal());
        claim(id, "reviewer-a");
        assertRefused(() -> say(id, "reviewer", "hm"), "bad_state", "Turn violation");
        assertThat(say(id, "proposer", "fixed").round()).isEqualTo(2);
        assertThat(reviews.discussion().read(id, null, Page.Request.ALL).entries())
                .extracting(Message::body)
                .containsExactly("see line 3", "fixed");
        assertThat(reviews.discussion().read(id, 2L, Page.Request.ALL).entries())
                .hasSize(1);
    }

    @Test
    void long_messages_are_read_in_pages_even_if_all_are_asked_for() {
        String id = changesRequested();
        List<String> said = IntStream.range(0, 50)
                .mapToObj(turn -> turn + "é".repeat(100_000))
                .toList();
        for (int turn = 0; turn < said.size(); turn++) {
            if (turn == 2) {
                claim(id, "reviewer-a"); // the proposer's answer made it pending again
            }
            say(id, turn % 2 == 0 ? "reviewer" : "proposer", said.get(turn));
        }
        Page<Message> first = reviews.discussion().read(id, null, Page.Request.ALL);
        Page<Message> rest = reviews.discussion().read(id, null, new Page.Request(100, first.next()));

        assertThat(first.entries()).extracting(Message::body).containsExactlyElementsOf(said.subList(0, 42));
        assertThat(rest.entries()).extracting(Message::body).containsExactlyElementsOf(said.subList(42, 50));
        assertThat(rest.next()).isNull();
    }

    @Test
    void what_was_said_and_done_last_is_read_back_part_by_part() {
        String id = changesRequested();
        say(id, "reviewer", "one");
        say(id, "proposer", "two");
        claim(id, "reviewer-a");
        say(id, "reviewer", "three");

        List<Message> last = reviews.discussion().newest(id, Long.MAX_VALUE, 2);
        assertThat(last).extracting(Message::body).containsExactly("three", "two");
        assertThat(reviews.discussion().newest(id, last.getLast().seq(), 2))
                .extracting(Message::body)
                .containsExactly("one");

        List<AuditEvent> all = reviews.history().events(id, Page.Request.ALL).entries();
        List<AuditEvent> newest = reviews.history().newest(id, Long.MAX_VALUE, 3);
        assertThat(newest).isEqualTo(all.reversed().subList(0, 3));
        assertThat(reviews.history().newest(id, newest.getLast().id(), 100))
                .isEqualTo(all.reversed().subList(3, all.size()));
    }

    @Test
    void a_message_needs_a_role_and_a_review_that_is_talked_about() {
        String id = create();
        assertRefused(
                () -> say(id, "boss", "hurry"),
                "invalid",
                "Invalid sender_role: 'boss'. Must be 'proposer' or 'reviewer'.");
        assertRefused(
                () -> say(id, "proposer", "hello"),
                "bad_state",
                "Cannot add message to review in 'pending' state. Messages are only valid on claimed, in_review,"
                        + " changes_requested, or approved reviews.");
        assertRefused(() -> say("none", "proposer", "hello"), "not_found", "Review not found: none");
        assertRefused(
                () -> reviews.discussion().read("none", null, Page.Request.ALL), "not_found", "Review not found: none");
    }

    @Test
    void a_proposers_answer_puts_the_review_up_again_in_the_same_round() {
        String id = changesRequested();
        say(id, "proposer", "why?");
        Review now = shown(id);
        assertThat(now.status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(now.round()).isEqualTo(1);
        assertThat(now.claimedBy()).isNull();
        assertThat(claim(id, "reviewer-b").claim().generation()).isEqualTo(2);
        assertThat(eventTypes(id))
                .containsExactly(
                        "review_created",
                        "claimed",
                        "verdict_submitted",
                        "message_sent",
                        "review_reclaimed",
                        "claimed");
    }

    @Test
    void it_is_kept_for_the_reviewer_who_knows_it_while_that_one_comes_back() {
        comingBack.add("reviewer-a");
        String id = changesRequested();
        say(id, "proposer", "why?");
        assertThat(shown(id).claimedBy()).isEqualTo("reviewer-a");
        assertRefused(() -> claim(id, "reviewer-b"), "held", "Review reserved for reviewer reviewer-a");
        assertThat(next("reviewer-b")).isEmpty();
        assertThat(next("reviewer-a")).contains(id);
    }

    @Test
    void a_reviewer_who_waits_for_the_next_gets_what_is_kept_for_it_meanwhile() {
        comingBack.add("reviewer-a");
        String id = create();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no", "reviewer-a", 1L);
        CompletableFuture<Optional<ReviewClaims.Granted>> waiting = CompletableFuture.supplyAsync(() -> reviews.next()
                .claim(
                        new NextReview.Request("reviewer-a", null, null, null, null, Duration.ofSeconds(60)),
                        Caller.UNKNOWN));
        await().until(() -> claims.waiting(Kind.REVIEW) == 1);
        addMessage(id, "proposer", "why?", null);
        assertThat(waiting.join().orElseThrow().review().id()).isEqualTo(id);
    }

    @Test
    void what_is_kept_for_somebody_who_is_gone_is_offered_to_everybody() {
        comingBack.add("reviewer-a");
        String id = changesRequested();
        say(id, "proposer", "why?");
        assertThat(reviews.reserved().offerAbandoned()).isZero();
        comingBack.clear();
        assertThat(reviews.reserved().offerAbandoned()).isEqualTo(1);
        assertThat(next("reviewer-b")).contains(id);
    }

    @Test
    void an_accepted_counter_patch_is_the_next_revision_of_the_round_and_needs_a_verdict_of_its_own() {
        String id = commentedWithCounterPatch();
        String before = shown(id).revision();
        acceptCounterPatch(id);
        Review now = shown(id);
        assertThat(now.status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(now.round()).isEqualTo(1);
        assertThat(now.revision()).isNotEqualTo(before);
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", null), "stale", "Stale revision");
        assertRefused(() -> verdict(id, "approved", null, "reviewer-a", 1L), "stale", "Stale revision");
        ProposalReader.Shown shown = read(id, "reviewer-a");
        assertThat(shown.revision().diff()).isEqualTo(OTHER);
        assertThat(shown.revision().source()).isEqualTo("counter_patch");
        assertThat(shown.counterPatch().orElseThrow().counterPatchStatus()).isEqualTo(CounterPatchStatus.ACCEPTED);
        assertThat(verdict(id, "approved", null, "reviewer-a", null).revision()).isEqualTo(now.revision());
    }

    @Test
    void an_accepted_counter_patch_is_up_for_review_again_for_who_knows_it() {
        comingBack.add("reviewer-a");
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        claim(id, "reviewer-a");
        submit(
                id,
                Verdicts.Submission.of("changes_requested", "rather so", Fence.of("reviewer-a", 1))
                        .counterPatch(OTHER));
        assertThat(reviews.counterPatches().accept(id, null, Caller.UNKNOWN, true))
                .isTrue();
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(next("reviewer-b")).isEmpty();
        assertThat(next("reviewer-a")).contains(id);
    }

    @Test
    void a_counter_patch_is_decided_on_once() {
        String id = commentedWithCounterPatch();
        reviews.counterPatches().reject(id, null, Caller.UNKNOWN);
        assertRefused(() -> acceptCounterPatch(id), "bad_state", "No pending counter-patch to accept");
        assertRefused(
                () -> reviews.counterPatches().reject(id, null, Caller.UNKNOWN),
                "bad_state",
                "No pending counter-patch to reject");
        assertRefused(() -> acceptCounterPatch("none"), "not_found", "Review not found: none");
    }

    @Test
    void a_counter_patch_that_was_not_read_is_neither_accepted_nor_rejected() {
        String id = commentedWithCounterPatch();
        assertRefused(
                () -> reviews.counterPatches().accept(id, "r2:another", Caller.UNKNOWN, false),
                "stale",
                "another counter-patch has arrived");
        assertRefused(
                () -> reviews.counterPatches().reject(id, "r2:another", Caller.UNKNOWN),
                "stale",
                "another counter-patch has arrived");

        String read = reviews.reading()
                .proposal(id, null)
                .orElseThrow()
                .counterPatch()
                .orElseThrow()
                .counterPatchRevision();
        reviews.counterPatches().accept(id, read, Caller.UNKNOWN, false);
        assertThat(shown(id).revision()).isEqualTo(read);
    }

    @Test
    void what_was_approved_or_closed_takes_no_counter_patch() {
        String id = commentedWithCounterPatch();
        String approved = shown(id).revision();
        read(id, "reviewer-a");
        verdict(id, "approved", null, "reviewer-a", 1L);
        assertRefused(() -> acceptCounterPatch(id), "bad_state", "'approved' state");
        reviews.proposals().close(id, "proposer");
        assertRefused(() -> acceptCounterPatch(id), "bad_state", "'closed' state");
        assertThat(shown(id).revision()).isEqualTo(approved);
    }

    @Test
    void a_counter_patch_that_does_not_apply_is_refused_when_given_and_when_accepted() {
        String id = commentedWithCounterPatch();
        badDiffs.put(OTHER, "error: x");
        assertRefused(() -> acceptCounterPatch(id), "invalid", "Counter-patch no longer applies cleanly");
        assertRefused(
                () -> submit(
                        id,
                        Verdicts.Submission.of("comment", "try", Fence.of("reviewer-a", 1))
                                .counterPatch(OTHER)),
                "invalid",
                "Counter-patch diff validation failed");
    }

    @Test
    void a_revision_leaves_the_old_counter_patch_behind() {
        String id = commentedWithCounterPatch();
        revise(id, proposal().diff(DIFF));
        assertRefused(() -> acceptCounterPatch(id), "bad_state", "No pending counter-patch to accept");
        assertThat(reviews.reading().proposal(id, 1L).orElseThrow().counterPatch())
                .isPresent();
        assertThat(reviews.reading().proposal(id, null).orElseThrow().counterPatch())
                .isEmpty();
    }

    private String changesRequested() {
        String id = create();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no tests", "reviewer-a", 1L);
        return id;
    }

    private String commentedWithCounterPatch() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        claim(id, "reviewer-a");
        submit(
                id,
                Verdicts.Submission.of("comment", "rather so", Fence.of("reviewer-a", 1))
                        .counterPatch(OTHER));
        return id;
    }

    private Message say(String id, String role, String body) {
        return addMessage(id, role, body, null);
    }

    private List<String> next(String reviewer) {
        return reviews
                .next()
                .claim(new NextReview.Request(reviewer, null, null, null, null, Duration.ZERO), Caller.UNKNOWN)
                .map(granted -> granted.review().id())
                .stream()
                .toList();
    }
}
