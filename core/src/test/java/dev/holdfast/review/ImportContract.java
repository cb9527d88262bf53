package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.agent.Caller;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.imports.ImportedReview;
import dev.holdfast.review.imports.ImportedReview.EventEntry;
import dev.holdfast.review.imports.ImportedReview.MessageEntry;
import dev.holdfast.review.imports.ImportedReview.VerdictEntry;
import dev.holdfast.review.imports.Imports;
import dev.holdfast.review.imports.Imports.How;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reviews that come from another broker. */
abstract class ImportContract extends OnReviews {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String OTHER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    ImportContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_pending_review_can_be_claimed_at_a_generation_above_the_others() {
        assertThat(take(review("a", ReviewStatus.PENDING).generation(4))).isEqualTo(How.IMPORTED);

        Review shown = shown("a");
        assertThat(shown.status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown.priority()).isEqualTo("critical");
        assertThat(shown.createdAt()).isEqualTo(at(0));
        assertThat(shown.updatedAt()).isEqualTo(at(60));
        assertThat(reviews.next().claim(asked("bob", "webshop"), Caller.UNKNOWN))
                .isPresent();
        assertThat(shown("a").generation()).isEqualTo(5);
    }

    @Test
    void a_claim_whose_lease_has_run_out_goes_back_with_the_next_sweep() {
        take(review("a", ReviewStatus.CLAIMED).claimedBy("old-reviewer").generation(3));

        assertThat(shown("a").status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown("a").claimedBy()).isEqualTo("old-reviewer");
        assertThat(shown("a").generation()).isEqualTo(3);
        assertThat(claims.sweep(10)).hasSize(1);
        assertThat(shown("a").status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown("a").generation()).isEqualTo(4);
        assertRefused(() -> verdict("a", "approved", null, null, 3L), "stale", "Your generation=3, current=4");
    }

    @Test
    void a_claim_that_still_runs_is_its_holders_and_nobody_elses() {
        Instant now = on.store().read(transaction -> ReviewTable.instant(transaction.now()));
        take(review("a", ReviewStatus.CLAIMED)
                .claimedBy("old-reviewer")
                .generation(3)
                .claimedAt(now.minusSeconds(60)));

        assertThat(claims.sweep(10)).isEmpty();
        assertRefused(() -> claim("a", "bob"), "held", "Invalid transition: claimed -> claimed");
        read("a", "old-reviewer");
        assertThat(verdict("a", "approved", null, "old-reviewer", 3L).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void a_claim_from_before_there_were_generations_gets_the_first() {
        take(review("a", ReviewStatus.CLAIMED).claimedBy("old-reviewer"));

        assertThat(shown("a").generation()).isEqualTo(1);
    }

    @Test
    void in_review_with_a_holder_is_claimed() {
        take(review("a", ReviewStatus.IN_REVIEW).claimedBy("old-reviewer").generation(1));

        assertThat(shown("a").status()).isEqualTo(ReviewStatus.CLAIMED);
        assertRefused(() -> verdict("a", "approved", null, null, null), "fence_missing", "require reviewer_id");
        read("a", "old-reviewer");
        assertThat(verdict("a", "approved", null, "old-reviewer", null).status())
                .isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void in_review_without_a_holder_takes_a_verdict_without_a_fence_and_no_claim() {
        take(review("a", ReviewStatus.IN_REVIEW).generation(2));

        assertThat(shown("a").status()).isEqualTo(ReviewStatus.IN_REVIEW);
        assertRefused(() -> claim("a", "bob"), "bad_state", "Invalid transition: in_review -> claimed");
        assertThat(reviews.next().claim(asked("bob", "webshop"), Caller.UNKNOWN))
                .isEmpty();
        assertThat(verdict("a", "comment", "looks fine", null, null).status()).isEqualTo(ReviewStatus.IN_REVIEW);
        assertRefused(() -> verdict("a", "approved", "fine", null, null), "unread", "no reviewer was named");
        read("a", "bob");
        assertRefused(() -> verdict("a", "approved", "fine", "ann", null), "unread", "ann was shown nothing");
        assertThat(verdict("a", "approved", "fine", "bob", null).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void claimed_by_nobody_is_pending_again_and_fences_out_whoever_it_was() {
        take(review("a", ReviewStatus.CLAIMED).generation(7));
        take(review("b", ReviewStatus.CLAIMED).claimedBy("unknown").generation(7));

        assertThat(List.of(shown("a"), shown("b"))).allSatisfy(shown -> {
            assertThat(shown.status()).isEqualTo(ReviewStatus.PENDING);
            assertThat(shown.generation()).isEqualTo(8);
        });
    }

    @Test
    void verdicts_messages_and_events_come_with_their_times() {
        take(review("a", ReviewStatus.CHANGES_REQUESTED)
                .claimedBy("old-reviewer")
                .generation(1)
                .reason("no test")
                .events(
                        event(1, "review_created", "gsd-executor", null, "pending", "{\"intent\":\"x\"}", 0),
                        new EventEntry(2, "claimed", "old-reviewer", null, null, 1L, null, at(10)),
                        event(5, "verdict_submitted", "reviewer", "claimed", "changes_requested", null, 60))
                .verdicts(judged("changes_requested", "no test", OTHER, CounterPatchStatus.PENDING, 60))
                .messages(said("m1", "reviewer", "why?", 20), said("m2", "proposer", "so", 30)));

        assertThat(shown("a").claimedBy()).isEqualTo("old-reviewer");
        assertThat(shown("a").verdictReason()).isEqualTo("no test");
        ProposalReader.Shown read = reviews.reading().proposal("a", null).orElseThrow();
        assertThat(read.revision().diff()).isEqualTo(DIFF);
        assertThat(read.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.at()).isEqualTo(at(60));
            assertThat(verdict.revision()).isEqualTo(read.revision().revision());
            assertThat(verdict.counterPatch()).isEqualTo(OTHER);
        });
        assertThat(reviews.discussion().read("a", null, Page.Request.ALL).entries())
                .extracting(Message::body, Message::at)
                .containsExactly(tuple("why?", at(20)), tuple("so", at(30)));
        List<AuditEvent> events =
                reviews.history().events("a", Page.Request.ALL).entries();
        assertThat(events)
                .extracting(AuditEvent::type)
                .containsExactly("review_created", "review_claimed", "verdict_submitted", "review_imported");
        assertThat(events).extracting(AuditEvent::at).startsWith(at(0), at(10), at(60));
        assertThat(events.get(1).newStatus()).isEqualTo("claimed");
        assertThat(reviews.statistics().of(null).toVerdictMicros()).isEqualTo(60_000_000);
        assertThat(reviews.statistics().of(null).inStateMicros())
                .containsEntry("pending", 10_000_000L)
                .containsEntry("claimed", 50_000_000L);

        acceptCounterPatch("a");
        assertThat(reviews.reading()
                        .proposal("a", null)
                        .orElseThrow()
                        .revision()
                        .diff())
                .isEqualTo(OTHER);
        assertThat(revise("a", proposal().diff(DIFF)).round()).isEqualTo(2);
    }

    @Test
    void a_pending_counter_patch_without_its_text_is_refused() {
        assertThat(take(review("a", ReviewStatus.CHANGES_REQUESTED)
                        .verdicts(judged("changes_requested", "no", null, CounterPatchStatus.PENDING, 60))))
                .isEqualTo(How.REFUSED);
        assertThat(reviews.reading().proposal("a", null)).isEmpty();
    }

    @Test
    void an_approval_of_what_is_not_known_any_more_is_no_approval_of_what_is_there_now() {
        take(review("a", ReviewStatus.APPROVED)
                .verdicts(new VerdictEntry("approved", 1, false, false, null, "r", 1L, null, null, at(10))));

        ProposalReader.Shown read = reviews.reading().proposal("a", null).orElseThrow();
        assertThat(read.verdicts().getFirst().revision())
                .isNotEqualTo(read.revision().revision());
        assertThat(reviews.approvals().checkDiff("web shop", DIFF)).isNotInstanceOf(Approvals.Decision.Approved.class);
    }

    @Test
    void an_approval_of_what_is_there_now_counts_at_the_gate() {
        take(review("a", ReviewStatus.APPROVED).verdicts(judged("approved", "fine", null, null, 60)));

        assertThat(reviews.approvals().checkDiff("web shop", DIFF)).isInstanceOf(Approvals.Decision.Approved.class);
    }

    @Test
    void a_second_run_brings_nothing_twice() {
        Builder review = review("a", ReviewStatus.CLAIMED)
                .claimedBy("r")
                .generation(1)
                .events(event(1, "review_created", "x", null, "pending", null, 0))
                .messages(said("m1", "reviewer", "why?", 20));
        take(review);
        claims.sweep(10); // which is no change of the review

        assertThat(take(review)).isEqualTo(How.UNCHANGED);
        assertThat(eventTypes("a")).containsExactly("review_created", "review_imported", "reclaimed");
        assertThat(reviews.discussion().read("a", null, Page.Request.ALL).entries())
                .hasSize(1);
    }

    @Test
    void what_changed_only_there_is_brought_up_to_date_and_keeps_its_past() {
        EventEntry created = event(1, "review_created", "x", null, "pending", null, 0);
        EventEntry judged = event(2, "verdict_submitted", "reviewer", "claimed", "changes_requested", null, 60);
        take(review("a", ReviewStatus.CHANGES_REQUESTED)
                .reason("no test")
                .events(created, judged)
                .verdicts(judged("changes_requested", "no test", null, null, 60))
                .messages(said("m1", "reviewer", "why?", 20)));

        assertThat(take(review("a", ReviewStatus.CLAIMED)
                        .claimedBy("r2")
                        .generation(3)
                        .round(2)
                        .diff(OTHER)
                        .events(
                                created,
                                judged,
                                event(9, "review_revised", "x", "changes_requested", "pending", null, 70))
                        .verdicts(new VerdictEntry(
                                "changes_requested", 1, false, false, null, null, null, null, null, at(60)))
                        .messages(said("m1", "reviewer", "why?", 20), said("m2", "proposer", "so", 80))))
                .isEqualTo(How.UPDATED);

        assertThat(shown("a").status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown("a").generation()).isEqualTo(3);
        assertThat(eventTypes("a"))
                .containsExactly(
                        "review_created", "verdict_submitted", "review_imported", "review_revised", "review_imported");
        assertThat(reviews.reading().proposal("a", 1L).orElseThrow().revision().diff())
                .isEqualTo(DIFF);
        ProposalReader.Shown now = reviews.reading().proposal("a", null).orElseThrow();
        assertThat(now.revision().diff()).isEqualTo(OTHER);
        assertThat(now.verdicts())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.reason()).isEqualTo("no test"));
        assertThat(reviews.discussion().read("a", null, Page.Request.ALL).entries())
                .hasSize(2);
    }

    @Test
    void what_came_before_revisions_knew_their_lines_keeps_the_one_it_has() {
        take(review("a", ReviewStatus.PENDING));
        madeBeforePlaces("a");
        String before = shown("a").revision();
        assertThat(before).startsWith("r1:");

        take(review("a", ReviewStatus.APPROVED).verdicts(judged("approved", "fine", null, null, 60)));
        assertThat(shown("a").revision()).isEqualTo(before);
        assertThat(reviews.approvals().checkRevision("web shop", before))
                .isInstanceOf(Approvals.Decision.Approved.class);
    }

    @Test
    void what_changed_here_stays_as_it_is_here() {
        Builder review = review("a", ReviewStatus.PENDING).generation(1);
        take(review);
        long generation = claim("a", "bob").claim().generation();

        assertThat(take(review)).isEqualTo(How.UNCHANGED);
        assertThat(take(review.generation(9))).isEqualTo(How.KEPT);
        read("a", "bob");
        assertThat(verdict("a", "approved", null, "bob", generation).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void what_claim_next_gave_away_here_stays_with_its_holder() {
        Builder review = review("a", ReviewStatus.PENDING).generation(1);
        take(review);
        assertThat(reviews.next().claim(asked("bob", null), Caller.UNKNOWN)).isPresent();

        assertThat(take(review.generation(9), true)).isEqualTo(How.KEPT);
        assertThat(take(review.generation(9))).isEqualTo(How.KEPT);
        assertThat(shown("a").claimedBy()).isEqualTo("bob");
    }

    @Test
    void a_review_that_was_made_here_is_not_touched() {
        String id = create();

        assertThat(take(review(id, ReviewStatus.CLOSED))).isEqualTo(How.REFUSED);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void a_dry_run_tells_and_changes_nothing() {
        assertThat(take(review("a", ReviewStatus.PENDING), true)).isEqualTo(How.IMPORTED);
        assertThat(reviews.catalogue().find("a")).isEmpty();
        take(review("a", ReviewStatus.PENDING));
        assertThat(take(review("a", ReviewStatus.APPROVED), true)).isEqualTo(How.UPDATED);
        assertThat(shown("a").status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void one_that_cannot_be_kept_here_is_named_and_harms_no_other() {
        List<Imports.Taken> taken = reviews.imports()
                .take(
                        List.of(
                                review("a", ReviewStatus.PENDING).build(),
                                review("b", ReviewStatus.PENDING)
                                        .messages(said("m", "proposer", "x".repeat(200_001), 1))
                                        .build(),
                                review("c", ReviewStatus.PENDING)
                                        .reason("half \ud83d")
                                        .build(),
                                review("d", ReviewStatus.PENDING).build()),
                        false,
                        Caller.UNKNOWN,
                        _ -> true);

        assertThat(taken)
                .extracting(Imports.Taken::how)
                .containsExactly(How.IMPORTED, How.REFUSED, How.REFUSED, How.IMPORTED);
        assertThat(taken.get(1).reason()).contains("body of a message is longer than 200000");
        assertThat(taken.get(2).reason()).contains("verdict_reason");
    }

    @Test
    void what_an_event_tells_beside_its_status_must_be_an_object() {
        assertThat(reviews.imports()
                        .take(
                                List.of(review("a", ReviewStatus.PENDING)
                                        .events(event(1, "claimed", "x", null, null, "some text", 0))
                                        .build()),
                                false,
                                Caller.UNKNOWN,
                                _ -> true))
                .containsExactly(
                        new Imports.Taken("a", How.REFUSED, "metadata of event 1 must be a JSON object as text"));
    }

    @Test
    void a_review_does_not_go_back_to_an_earlier_round() {
        take(review("a", ReviewStatus.PENDING));
        take(review("a", ReviewStatus.PENDING).round(2));

        assertThat(take(review("a", ReviewStatus.PENDING).reason("other"))).isEqualTo(How.REFUSED);
    }

    @Test
    void times_of_a_clock_that_is_ahead_count_as_now() {
        take(review("a", ReviewStatus.CLAIMED)
                .claimedBy("r")
                .generation(1)
                .claimedAt(Instant.parse("2999-01-01T00:00:00Z")));

        on.settableClock().advance(Duration.ofMinutes(21));
        assertThat(claims.sweep(10)).hasSize(1);
    }

    private How take(Builder review) {
        return take(review, false);
    }

    private How take(Builder review, boolean dry) {
        return reviews.imports()
                .take(List.of(review.build()), dry, Caller.UNKNOWN, _ -> true)
                .getFirst()
                .how();
    }

    private static NextReview.Request asked(String reviewer, @Nullable String project) {
        return new NextReview.Request(reviewer, project, null, null, null, Duration.ZERO);
    }

    private static Instant at(long seconds) {
        return Instant.parse("2025-03-01T10:00:00Z").plusSeconds(seconds);
    }

    private static EventEntry event(
            long number,
            String type,
            String actor,
            @Nullable String before,
            @Nullable String after,
            @Nullable String metadata,
            long seconds) {
        return new EventEntry(number, type, actor, before, after, null, metadata, at(seconds));
    }

    private static VerdictEntry judged(
            String verdict,
            String reason,
            @Nullable String patch,
            @Nullable CounterPatchStatus patchStatus,
            long seconds) {
        return new VerdictEntry(verdict, 1, true, false, reason, "old-reviewer", 1L, patch, patchStatus, at(seconds));
    }

    private static MessageEntry said(String id, String role, String body, long seconds) {
        return new MessageEntry(id, role, 1, body, null, at(seconds));
    }

    private static Builder review(String id, ReviewStatus status) {
        return new Builder(id, status);
    }

    /** A review of the other broker, changed step by step. */
    private static final class Builder {
        private final String id;
        private final ReviewStatus status;
        private String diff = DIFF;
        private int round = 1;
        private @Nullable String claimedBy;
        private Instant claimedAt = at(60);
        private long generation;
        private @Nullable String reason;
        private List<VerdictEntry> verdicts = new ArrayList<>();
        private List<MessageEntry> messages = new ArrayList<>();
        private List<EventEntry> events = new ArrayList<>();

        private Builder(String id, ReviewStatus status) {
            this.id = id;
            this.status = status;
        }

        Builder diff(String given) {
            diff = given;
            return this;
        }

        Builder round(int given) {
            round = given;
            return this;
        }

        Builder claimedBy(String given) {
            claimedBy = given;
            return this;
        }

        Builder claimedAt(Instant given) {
            claimedAt = given;
            return this;
        }

        Builder generation(long given) {
            generation = given;
            return this;
        }

        Builder reason(String given) {
            reason = given;
            return this;
        }

        Builder verdicts(VerdictEntry... given) {
            verdicts = List.of(given);
            return this;
        }

        Builder messages(MessageEntry... given) {
            messages = List.of(given);
            return this;
        }

        Builder events(EventEntry... given) {
            events = List.of(given);
            return this;
        }

        ImportedReview build() {
            Proposal made = Proposal.of("add a cache", "gsd-planner", "proposer", "7")
                    .project("/home/ann/Web-Shop")
                    .category("code_change")
                    .diff(diff);
            return new ImportedReview(
                    id,
                    status,
                    made,
                    "critical",
                    round,
                    claimedBy,
                    claimedAt,
                    generation,
                    reason,
                    at(0),
                    at(60),
                    verdicts,
                    messages,
                    events);
        }
    }
}
