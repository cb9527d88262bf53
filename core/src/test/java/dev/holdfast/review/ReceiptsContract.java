package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Approvals.Decision;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.Receipt;
import dev.holdfast.review.reading.TextSlice;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An approval proves that whoever gave it was shown all of the content, under the claim it is given with. */
abstract class ReceiptsContract extends OnReviews {
    private static final String DIFF = diff(40);
    private static final String OTHER = diff(41);

    ReceiptsContract(Engine engine) {
        super(engine);
    }

    @Test
    void what_was_not_read_cannot_be_approved_and_nothing_changes() {
        String id = claimed();
        Review before = shown(id);
        assertRefused(
                () -> approve(id, "ann"),
                "unread",
                "Unread: ann was shown nothing of revision " + before.revision() + ", which has " + DIFF.length()
                        + " characters. Read it with get_proposal (caller_id: \"ann\"), continuing at next_offset until"
                        + " there is none; then approve.");
        assertThat(shown(id)).isEqualTo(before);
        assertThat(eventTypes(id)).containsExactly("review_created", "claimed");

        read(id, "ann");
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void a_part_is_not_the_whole_and_the_refusal_says_what_is_missing() {
        String id = claimed();
        int whole = DIFF.length();
        readPart(id, "ann", 0, 100);
        readPart(id, "ann", 200, 50);
        assertThatThrownBy(() -> approve(id, "ann"))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.code()).hasToString("unread");
                    assertThat(refused.details())
                            .containsEntry(
                                    "missing",
                                    List.of(
                                            Map.of("offset", 100, "limit", 100),
                                            Map.of("offset", 250, "limit", whole - 250)));
                })
                .hasMessageContaining("ann was not shown characters 100-200, 250-" + whole + " of revision r")
                .hasMessageContaining("get_proposal (caller_id: \"ann\", offset: 100)");
        readPart(id, "ann", 100, 100);
        readPart(id, "ann", 240, whole);
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void a_large_content_may_be_read_in_many_parts_in_any_order_and_leaves_one_short_row() {
        String id = reviews.proposals().create(proposal().diff(diff(20_000))).id();
        claim(id, "ann");
        int whole = reviews.reading()
                .proposal(id, null)
                .orElseThrow()
                .revision()
                .toRead()
                .length();
        int part = whole / 100 + 1;
        List<Integer> parts =
                new ArrayList<>(IntStream.range(0, 100).mapToObj(i -> i * part).toList());
        Collections.shuffle(parts, new Random(7));
        for (int offset : parts.subList(1, 100)) {
            readPart(id, "ann", offset, part);
        }
        assertRefused(() -> approve(id, "ann"), "unread", "offset: " + parts.getFirst());
        readPart(id, "ann", parts.getFirst(), part);
        assertThat(receipts(id)).containsExactly("0-" + whole);
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void parts_that_are_read_at_the_same_time_all_count() {
        String id = claimed();
        int part = DIFF.length() / 8 + 1;
        CyclicBarrier start = new CyclicBarrier(8);
        CompletableFuture<?>[] readers = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    meet(start);
                    readPart(id, "ann", i * part, part);
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(readers).join();
        assertThat(receipts(id)).containsExactly("0-" + DIFF.length());
    }

    @Test
    void a_reading_that_names_nobody_or_somebody_else_counts_for_nobody() {
        String id = claimed();
        ProposalReader.Shown shown = reviews.reading().proposal(id, null).orElseThrow();
        reviews.receipts().served(shown, null);
        reviews.receipts().served(shown, "bob");
        assertThat(receipts(id)).isEmpty();
        assertRefused(() -> approve(id, "ann"), "unread", "ann was shown nothing");
    }

    @Test
    void what_was_read_before_the_claim_does_not_count() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        read(id, "ann");
        claim(id, "ann");
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
    }

    @Test
    void another_claim_starts_with_nothing_read_also_for_the_same_reviewer() {
        String id = claimed();
        read(id, "ann");
        reviews.claiming().release(id, Fence.of("ann", 1), null);
        claim(id, "ann");
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
        read(id, "ann");
        reviews.reclaims().reclaim(id, "claim_timeout");
        claim(id, "bob");
        assertRefused(() -> approve(id, "bob"), "unread", "bob was shown nothing");
        read(id, "bob");
        on.settableClock().advance(Duration.ofMinutes(21));
        claim(id, "ann");
        assertRefused(() -> approve(id, "ann"), "unread", "ann was shown nothing");
        assertThat(reviews.receipts().of(id))
                .extracting(Receipt::reviewer)
                .as("what the earlier ones read is still told, the newest first")
                .containsExactly("bob", "ann", "ann");
    }

    @Test
    void another_content_starts_with_nothing_read() {
        String id = claimed();
        read(id, "ann");
        submit(
                id,
                Verdicts.Submission.of("comment", "rather so", new Fence("ann", null))
                        .counterPatch(OTHER));
        acceptCounterPatch(id);
        Verdicts.Submission approval = Verdicts.Submission.of("approved", null, new Fence("ann", 1L))
                .revision(shown(id).revision());
        assertRefused(() -> submit(id, approval), "unread", "nothing");
        read(id, "ann");
        revise(id, proposal().diff(DIFF));
        claim(id, "ann");
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
        read(id, "ann");
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void what_changed_since_another_round_or_an_earlier_round_is_not_the_content() {
        String id = claimed();
        verdict(id, "changes_requested", "no", "ann", null);
        revise(id, proposal().diff(OTHER));
        claim(id, "ann");
        ProposalReader.Shown now = reviews.reading().proposal(id, null).orElseThrow();
        assertThat(reviews.reading().compare(now, 1).text()).isNotEmpty();
        reviews.receipts().served(now, "ann", TextSlice.NONE);
        reviews.receipts().served(reviews.reading().proposal(id, 1L).orElseThrow(), "ann");
        assertThat(receipts(id)).isEmpty();
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
    }

    @Test
    void requests_for_changes_and_comments_need_no_reading() {
        String id = claimed();
        assertThat(verdict(id, "comment", "wait", "ann", null).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(verdict(id, "changes_requested", "too long", "ann", null).status())
                .isEqualTo(ReviewStatus.CHANGES_REQUESTED);
    }

    @Test
    void of_a_text_the_description_is_read_and_the_answer_to_the_claim_shows_it() {
        String id = reviews.proposals()
                .create(proposal().description("first this, then that"))
                .id();
        ReviewClaims.Granted granted = claim(id, "ann");
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
        reviews.receipts().served(granted);
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);

        String other =
                reviews.proposals().create(proposal().description("more")).id();
        claimAndRead(other, "ann");
        assertThat(approve(other, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void the_answer_to_a_claim_does_not_show_a_diff() {
        String id = reviews.proposals()
                .create(proposal().description("see the diff").diff(DIFF))
                .id();
        reviews.receipts().served(claim(id, "ann"));
        assertRefused(() -> approve(id, "ann"), "unread", "nothing");
    }

    @Test
    void where_there_is_nothing_to_read_nothing_needs_to_be_read() {
        String id = create();
        claim(id, "ann");
        assertThat(approve(id, "ann").status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void fence_and_state_are_looked_at_first_and_a_replay_is_a_replay() {
        String id = claimed();
        assertRefused(() -> approve(id, "bob"), "wrong_holder", "Unauthorized");
        assertRefused(() -> verdict(id, "approved", null, "ann", 7L), "stale", "Stale claim");
        read(id, "ann");
        approve(id, "ann");
        assertThat(approve(id, "ann").replayed()).isTrue();
        assertRefused(() -> verdict(id, "approved", "more", "ann", 1L), "bad_state", "Invalid transition");
    }

    @Test
    void an_approval_is_of_what_was_read_however_fast_the_content_changes() throws Exception {
        for (int i = 0; i < 30; i++) {
            String id = claimed();
            read(id, "ann");
            String read = shown(id).revision();
            submit(
                    id,
                    Verdicts.Submission.of("comment", "rather so", new Fence("ann", null))
                            .counterPatch(OTHER));
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<@Nullable Object> accepting = CompletableFuture.supplyAsync(() -> {
                meet(start);
                return attempt(() -> acceptCounterPatch(id));
            });
            meet(start);
            attempt(() -> approve(id, "ann"));
            accepting.join();
            Review now = shown(id);
            assertThat(now.status() == ReviewStatus.APPROVED)
                    .as("%s of %s", now.status(), now.revision())
                    .isEqualTo(now.revision().equals(read));
        }
    }

    @Test
    void what_was_shown_before_is_not_written_again() {
        String id = claimed();
        readPart(id, "ann", 0, 100);
        Receipt first = reviews.receipts().of(id).getFirst();
        Review before = shown(id);
        on.settableClock().advance(Duration.ofMinutes(1));
        readPart(id, "ann", 20, 50);
        assertThat(reviews.receipts().of(id)).containsExactly(first);
        readPart(id, "ann", 20, 100);
        assertThat(reviews.receipts().of(id)).singleElement().satisfies(receipt -> {
            assertThat(receipt.charactersRead()).isEqualTo(120);
            assertThat(receipt.characters()).isEqualTo(DIFF.length());
            assertThat(receipt.complete()).isFalse();
            assertThat(receipt.at()).isEqualTo(first.at().plus(Duration.ofMinutes(1)));
        });
        assertThat(shown(id)).as("reading changes no review, and wakes nobody").isEqualTo(before);
    }

    @Test
    void the_receipt_stands_in_the_gate_and_with_the_verdict() {
        String id = claimed();
        read(id, "ann");
        approve(id, "ann");
        assertThat(gate(DIFF).readAll()).isTrue();
        assertThat(detail(events(id).getLast()).at("/metadata/read_all").asBoolean())
                .isTrue();
        assertThat(reviews.receipts().of(id))
                .singleElement()
                .isEqualTo(new Receipt(
                        "ann",
                        1,
                        shown(id).revision(),
                        DIFF.length(),
                        DIFF.length(),
                        on.settableClock().now()));
    }

    @Test
    void an_approval_that_is_older_than_receipts_stays_and_nobody_knows_who_read_it() {
        String id = claimed();
        read(id, "ann");
        approve(id, "ann");
        on.store()
                .write(transaction ->
                        transaction.update(Sql.of("UPDATE verdicts SET read_all = :none"), p -> p.flag("none", null)));
        assertThat(gate(DIFF).readAll()).isNull();
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void where_reading_is_not_required_it_is_told_that_nobody_read_it() {
        try (Reviews lenient = reviews(RequireFence.ALWAYS, false)) {
            String id = claimed();
            lenient.verdicts()
                    .submit(id, Verdicts.Submission.of("approved", null, new Fence("ann", null)), Caller.UNKNOWN);
            assertThat(gate(DIFF).readAll()).isFalse();
            assertThat(detail(events(id).getLast()).at("/metadata/read_all").booleanValue())
                    .isFalse();
        }
    }

    @Test
    void with_managed_fences_no_reading_is_required() {
        try (Reviews lenient = reviews(RequireFence.MANAGED)) {
            String id = claimed();
            Verdicts.Submission bare = Verdicts.Submission.of("approved", null, new Fence(null, null));
            assertThat(lenient.verdicts().submit(id, bare, Caller.UNKNOWN).status())
                    .isEqualTo(ReviewStatus.APPROVED);
        }
    }

    private Decision.Approved gate(String diff) {
        return (Decision.Approved) reviews.approvals().checkDiff("Web Shop", diff);
    }

    private String claimed() {
        String id = reviews.proposals().create(proposal().diff(DIFF)).id();
        claim(id, "ann");
        return id;
    }

    private Verdicts.Submitted approve(String id, String reviewer) {
        return verdict(id, "approved", null, reviewer, null);
    }

    private void readPart(String id, String reader, int offset, int limit) {
        ProposalReader.Shown shown = reviews.reading().proposal(id, null).orElseThrow();
        reviews.receipts().served(shown, reader, TextSlice.of(shown.revision().diff(), offset, limit));
    }

    private List<String> receipts(String id) {
        return on.store()
                .read(transaction -> transaction.list(
                        Sql.of("SELECT ranges FROM receipts WHERE review_id = :id"),
                        p -> p.text("id", id),
                        row -> row.text("ranges")));
    }

    private static String diff(int lines) {
        StringBuilder diff = new StringBuilder("--- /dev/null\n+++ b/x\n@@ -0,0 +1," + lines + " @@\n");
        for (int i = 0; i < lines; i++) {
            diff.append("+line ").append(i).append('\n');
        }
        return diff.toString();
    }

    private static @Nullable Object attempt(Runnable change) {
        try {
            change.run();
            return null;
        } catch (RefusedException refused) {
            return refused;
        }
    }
}
