package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists, waits, history and figures. */
abstract class CatalogueContract extends OnReviews {
    private static final Duration LONG = Duration.ofSeconds(30);

    CatalogueContract(Engine engine) {
        super(engine);
    }

    @Test
    void the_most_urgent_come_first_then_the_oldest() {
        String low = make("gsd-executor", "verify", "a");
        String first = make("gsd-executor", "7", "a");
        String second = make("gsd-executor", "7", "b");
        String critical = make("gsd-planner", "7", "b");
        assertThat(ids(ReviewFilter.ALL)).containsExactly(critical, first, second, low);
        Page<Review> page = reviews.catalogue().list(ReviewFilter.ALL, new Page.Request(3, null));
        assertThat(reviews.catalogue()
                        .list(ReviewFilter.ALL, new Page.Request(3, page.next()))
                        .entries())
                .extracting(Review::id)
                .containsExactly(low);
    }

    @Test
    void lists_are_filtered_by_what_people_see_and_by_the_projects_key() {
        String pending = make("gsd-executor", "7", "Web Shop");
        String claimed = make("gsd-executor", "7", "web-shop");
        String other = make("gsd-executor", "7", "/home/ann/api");
        claim(claimed, "reviewer-a");
        assertThat(ids(ReviewFilter.status("pending"))).containsExactly(pending, other);
        assertThat(ids(ReviewFilter.status("claimed"))).containsExactly(claimed);
        assertThat(ids(ReviewFilter.status("approved"))).isEmpty();
        assertThat(ids(ReviewFilter.status("nonsense"))).isEmpty();
        assertThat(ids(new ReviewFilter(null, null, Set.of("webshop")))).containsExactly(pending, claimed);
        assertThat(ids(new ReviewFilter("pending", null, Set.of("WEBSHOP", "api"))))
                .containsExactly(pending, other);
        assertThat(ids(new ReviewFilter(null, "code_change", Set.of()))).isEmpty();
    }

    @Test
    void a_waiting_list_is_answered_when_something_becomes_pending() {
        CompletableFuture<Page<Review>> waiting = CompletableFuture.supplyAsync(
                () -> reviews.catalogue().awaitPending(ReviewFilter.status("pending"), null, Page.Request.ALL, LONG));
        await().until(() -> reviews.waiting() == 1);
        String id = create();
        assertThat(waiting.join().entries()).extracting(Review::id).containsExactly(id);
    }

    @Test
    void a_list_that_waited_in_vain_is_empty() {
        assertThat(reviews.catalogue()
                        .awaitPending(ReviewFilter.status("pending"), null, Page.Request.ALL, Duration.ofMillis(20))
                        .entries())
                .isEmpty();
    }

    @Test
    void who_waits_for_a_change_that_has_happened_is_answered_at_once() {
        String id = create();
        long before = shown(id).version();
        claim(id, "reviewer-a");
        Review seen = reviews.catalogue().changed(id, before, LONG).orElseThrow();
        assertThat(seen.status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(seen.version()).isGreaterThan(before);
        assertThat(reviews.catalogue().changed("none", null, LONG)).isEmpty();
    }

    @Test
    void who_waits_is_told_of_the_next_change() {
        String id = create();
        long before = shown(id).version();
        CompletableFuture<Optional<Review>> waiting =
                CompletableFuture.supplyAsync(() -> reviews.catalogue().changed(id, before, LONG));
        claim(id, "reviewer-a");
        assertThat(waiting.join().orElseThrow().claimedBy()).isEqualTo("reviewer-a");
    }

    @Test
    void nobody_waits_for_a_review_that_is_over() {
        String id = create();
        withdraw(id, "not needed");
        assertThat(reviews.catalogue().changed(id, null, LONG).orElseThrow().status())
                .isEqualTo(ReviewStatus.WITHDRAWN);
    }

    @Test
    void claim_next_takes_the_best_of_a_project() {
        make("gsd-executor", "7", "api");
        String later = make("gsd-executor", "verify", "Web Shop");
        String best = make("gsd-executor", "7", "Web Shop");
        assertThat(next("reviewer-a", "web-shop", Duration.ZERO)
                        .orElseThrow()
                        .review()
                        .id())
                .isEqualTo(best);
        assertThat(next("reviewer-b", "web-shop", Duration.ZERO)
                        .orElseThrow()
                        .review()
                        .id())
                .isEqualTo(later);
        assertThat(next("reviewer-c", "web-shop", Duration.ZERO)).isEmpty();
    }

    @Test
    void claim_next_waits_for_what_comes() {
        CompletableFuture<Optional<Granted>> waiting =
                CompletableFuture.supplyAsync(() -> next("reviewer-a", null, LONG));
        await().until(() -> claims.waiting(Kind.REVIEW) == 1);
        String id = create();
        Granted granted = waiting.join().orElseThrow();
        assertThat(granted.review().id()).isEqualTo(id);
        assertThat(verdict(id, "approved", null, "reviewer-a", granted.claim().generation())
                        .status())
                .isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void claim_next_passes_over_what_does_not_apply() {
        String diff = LifecycleContract.DIFF;
        String bad = reviews.proposals().create(proposal().diff(diff)).id();
        String good = create();
        badDiffs.put(diff, "error: x");
        assertThat(next("reviewer-a", null, Duration.ZERO)
                        .orElseThrow()
                        .review()
                        .id())
                .isEqualTo(good);
        assertThat(shown(bad).status()).isEqualTo(ReviewStatus.CHANGES_REQUESTED);
    }

    @Test
    void claim_next_knows_scope_and_state_of_the_brokers_own_reviewers() {
        String api = make("gsd-executor", "7", "api");
        make("gsd-executor", "7", "Web Shop");
        managed.put("codex-r1", new Reviewers.Managed("active", "API", null));
        assertThat(next("codex-r1", null, Duration.ZERO).orElseThrow().review().id())
                .isEqualTo(api);
        assertThat(next("codex-r1", null, Duration.ZERO)
                        .map(again -> again.review().id()))
                .hasValue(api);
        assertRefused(() -> next("codex-r1", "webshop", Duration.ZERO), "forbidden", "is scoped to project 'API'");
        managed.put("codex-r1", new Reviewers.Managed("draining", null, null));
        assertRefused(() -> next("codex-r1", null, Duration.ZERO), "forbidden", "is draining");
    }

    @Test
    void the_feed_begins_with_what_changed_last() {
        String first = create();
        on.settableClock().advance(Duration.ofSeconds(1));
        String second = create();
        on.settableClock().advance(Duration.ofSeconds(1));
        claim(first, "reviewer-a");
        on.settableClock().advance(Duration.ofSeconds(1));
        claim(second, "reviewer-a");
        on.settableClock().advance(Duration.ofSeconds(1));
        addMessage(first, "reviewer", "x".repeat(200), null);
        List<ReviewCatalogue.FeedEntry> feed =
                reviews.catalogue().feed(ReviewFilter.ALL, Page.Request.ALL).entries();
        assertThat(feed).extracting(entry -> entry.review().id()).containsExactly(first, second);
        assertThat(feed.getFirst().messages()).isEqualTo(1);
        assertThat(feed.getFirst().lastMessage()).hasSize(120);
        assertThat(feed.getFirst().lastMessageAt()).isEqualTo(on.settableClock().now());
        Page<ReviewCatalogue.FeedEntry> page = reviews.catalogue().feed(ReviewFilter.ALL, new Page.Request(1, null));
        assertThat(reviews.catalogue()
                        .feed(ReviewFilter.ALL, new Page.Request(1, page.next()))
                        .entries())
                .extracting(entry -> entry.review().id())
                .containsExactly(second);
    }

    @Test
    void history_tells_claims_in_the_words_of_reviews() {
        String id = create();
        claim(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMinutes(21));
        claims.sweep(10);
        claim(id, "reviewer-b");
        verdict(id, "approved", "fine", "reviewer-b", 3L);
        create();
        Page<AuditEvent> history = reviews.history().events(id, Page.Request.ALL);
        assertThat(history.entries())
                .extracting(AuditEvent::type)
                .containsExactly(
                        "review_created", "review_claimed", "review_reclaimed", "review_claimed", "verdict_submitted");
        assertThat(history.entries())
                .extracting(AuditEvent::newStatus)
                .containsExactly("pending", "claimed", "pending", "claimed", "approved");
        assertThat(String.valueOf(history.entries().get(2).metadata())).contains("old_reviewer", "reviewer-a");
        assertThat(reviews.history().events(null, Page.Request.ALL).entries()).hasSize(6);
        Page<AuditEvent> page = reviews.history().events(null, new Page.Request(4, null));
        assertThat(reviews.history()
                        .events(null, new Page.Request(4, page.next()))
                        .entries())
                .hasSize(2);
        assertRefused(() -> reviews.history().events("none", Page.Request.ALL), "not_found", "Review not found: none");
    }

    @Test
    void figures_are_exact_below_a_second() {
        String id =
                reviews.proposals().create(proposal().category("code_change")).id();
        on.settableClock().advance(Duration.ofMillis(300));
        claim(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMillis(200));
        verdict(id, "approved", null, "reviewer-a", 1L);
        on.settableClock().advance(Duration.ofMillis(100));
        reviews.proposals().close(id, "proposer");
        claim(create(), "reviewer-a");
        make("gsd-executor", "7", "api");
        Statistics.Found found = reviews.statistics().of("Web-Shop");
        assertThat(found.total()).isEqualTo(2);
        assertThat(found.byStatus())
                .containsEntry("closed", 1L)
                .containsEntry("claimed", 1L)
                .containsEntry("pending", 0L);
        assertThat(found.byCategory()).containsEntry("code_change", 1L).containsEntry("uncategorized", 1L);
        assertThat(found.approvalRate()).isEqualTo(100.0);
        assertThat(found.toVerdictMicros()).isEqualTo(500_000);
        assertThat(found.durationMicros()).isEqualTo(600_000);
        assertThat(found.inStateMicros()).containsEntry("claimed", 200_000L).containsEntry("approved", 100_000L);
        assertThat(reviews.statistics().of(null).total()).isEqualTo(3);
        assertThat(reviews.statistics().of("nothing").approvalRate()).isNull();
    }

    private String make(String agentType, String phase, String project) {
        return reviews.proposals()
                .create(Proposal.of("change", agentType, "proposer", phase).project(project))
                .id();
    }

    private List<String> ids(ReviewFilter wanted) {
        return reviews.catalogue().list(wanted, Page.Request.ALL).entries().stream()
                .map(Review::id)
                .toList();
    }

    private Optional<Granted> next(String reviewer, @Nullable String project, Duration patience) {
        return reviews.next()
                .claim(new NextReview.Request(reviewer, project, null, null, null, patience), Caller.UNKNOWN);
    }
}
