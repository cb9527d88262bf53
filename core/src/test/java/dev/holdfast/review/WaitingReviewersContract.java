package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.queue.WaitingReviewers;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting for something to review: as many are woken as there is work, and nothing pending stays unseen. */
abstract class WaitingReviewersContract extends OnReviews {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ReviewFilter PENDING = ReviewFilter.status("pending");

    WaitingReviewersContract(Engine engine) {
        super(engine);
    }

    @Test
    void one_new_review_wakes_one_of_many_who_wait() {
        try (WaitingReviewers line = new WaitingReviewers(on.store(), claims.tail(), Duration.ofHours(1))) {
            List<CompletableFuture<List<String>>> waiting = List.of(wait(line), wait(line), wait(line));
            String first = create();
            await().atMost(LONG).until(() -> done(waiting) == 1);
            claim(first, "whoever was shown it");
            assertThat(line.waiting()).isEqualTo(2);
            String second = create();
            await().atMost(LONG).until(() -> done(waiting) == 2);
            assertThat(line.waiting()).isEqualTo(1);
            claim(second, "the next one");
            line.close();
            assertThat(waiting.stream().map(CompletableFuture::join))
                    .containsExactlyInAnyOrder(List.of(first), List.of(second), List.of());
        }
    }

    @Test
    void a_review_that_was_shown_and_left_alone_is_shown_to_the_next() {
        List<CompletableFuture<List<String>>> waiting = List.of(wait("a"), wait("b"), wait("c"));
        String id = create();
        assertThat(waiting.stream().map(CompletableFuture::join)).containsOnly(List.of(id));
    }

    @Test
    void it_wakes_one_who_wants_it_and_not_the_one_before() {
        CompletableFuture<List<String>> other = wait("a", new ReviewFilter("pending", null, Set.of("api")));
        CompletableFuture<List<String>> ours = wait("b", new ReviewFilter("pending", null, Set.of("web-shop")));
        String id = create();
        assertThat(ours.join()).containsExactly(id);
        assertThat(other).isNotDone();
        String api = reviews.proposals().create(proposal().project("API")).id();
        assertThat(other.join()).containsExactly(api);
    }

    @Test
    void what_is_reserved_for_another_is_nothing_to_wait_for() {
        comingBack.add("reviewer-a");
        String id = create();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no", "reviewer-a", 1L);
        CompletableFuture<List<String>> another = wait("reviewer-b");
        CompletableFuture<List<String>> theOne = wait("reviewer-a");
        addMessage(id, "proposer", "why?", null);
        assertThat(theOne.join()).containsExactly(id);
        assertThat(another).isNotDone();
        assertThat(reviews.catalogue().list(PENDING, Page.Request.ALL).entries())
                .hasSize(1);
        reviews.close();
        assertThat(another.join()).isEmpty();
    }

    @Test
    void a_release_a_sweep_and_a_revision_wake_too() {
        String id = create();
        claim(id, "reviewer-a");
        CompletableFuture<List<String>> first = wait("b");
        reviews.claiming().release(id, claimOf(id), null);
        assertThat(first.join()).containsExactly(id);
        claim(id, "reviewer-a");
        CompletableFuture<List<String>> second = wait("b");
        on.settableClock().advance(Duration.ofMinutes(21));
        claims.sweep(10);
        assertThat(second.join()).containsExactly(id);
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no", "reviewer-a", null);
        CompletableFuture<List<String>> third = wait("b");
        revise(id, proposal());
        assertThat(third.join()).containsExactly(id);
    }

    @Test
    void reviewers_who_list_and_claim_get_through_everything() throws Exception {
        int reviewers = 8;
        int total = 120;
        ConcurrentLinkedQueue<String> judged = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> loops = new ArrayList<>();
            for (int i = 0; i < reviewers; i++) {
                String reviewer = "reviewer-" + i;
                loops.add(threads.submit(() -> {
                    while (judged.size() < total) {
                        listAndClaim(reviewer, judged);
                    }
                }));
            }
            for (int i = 0; i < total; i++) {
                create();
            }
            await().atMost(Duration.ofMinutes(2)).until(() -> judged.size() == total);
            reviews.close();
            for (Future<?> loop : loops) {
                loop.get();
            }
        }
        assertThat(Set.copyOf(judged)).hasSize(total);
    }

    private void listAndClaim(String reviewer, ConcurrentLinkedQueue<String> judged) {
        Page<Review> listed = reviews.catalogue().awaitPending(PENDING, reviewer, Page.Request.ALL, LONG);
        for (Review review : listed.entries()) {
            try {
                long generation = claim(review.id(), reviewer).claim().generation();
                verdict(review.id(), "approved", null, reviewer, generation);
                judged.add(review.id());
                return;
            } catch (RefusedException _) {
                // another was faster: the next one on the list
            }
        }
    }

    @Test
    void a_reviewer_of_the_brokers_own_lists_only_its_project() {
        managed.put("codex-r1", new Reviewers.Managed("active", "Web Shop", null));
        assertThat(allowed(Set.of(), null, "codex-r1").projects()).containsExactly("webshop");
        assertThat(allowed(Set.of("web-shop"), "web-shop", "codex-r1").projects())
                .containsExactly("webshop");
        assertRefused(
                () -> allowed(Set.of("api"), "api", "codex-r1"),
                "forbidden",
                "Reviewer codex-r1 is scoped to project 'Web Shop' and cannot list project 'api'.");
        assertRefused(
                () -> allowed(Set.of("api", "web shop"), null, "codex-r1"),
                "forbidden",
                "Reviewer codex-r1 is scoped to project 'Web Shop' and cannot list other projects.");
        assertThat(allowed(Set.of("api"), "api", "somebody").projects()).containsExactly("api");
        assertThat(allowed(Set.of("api"), "api", null).projects()).containsExactly("api");
    }

    private ReviewFilter allowed(Set<String> projects, @Nullable String project, @Nullable String caller) {
        return reviews.catalogue().allowed(new ReviewFilter("pending", null, projects), project, caller);
    }

    private Fence claimOf(String id) {
        return Objects.requireNonNull(standing(id).claim()).fence();
    }

    private CompletableFuture<List<String>> wait(String caller) {
        return wait(caller, PENDING);
    }

    private CompletableFuture<List<String>> wait(String caller, ReviewFilter wanted) {
        int before = reviews.waiting();
        CompletableFuture<List<String>> listed = CompletableFuture.supplyAsync(
                () -> reviews.catalogue().awaitPending(wanted, caller, Page.Request.ALL, LONG).entries().stream()
                        .map(Review::id)
                        .toList(),
                Thread::startVirtualThread);
        await().atMost(LONG).until(() -> reviews.waiting() == before + 1);
        return listed;
    }

    private CompletableFuture<List<String>> wait(WaitingReviewers line) {
        int before = line.waiting();
        CompletableFuture<List<String>> listed = CompletableFuture.supplyAsync(
                () -> line.await(
                        _ -> true,
                        LONG,
                        () -> reviews.catalogue().list(PENDING, Page.Request.ALL).entries().stream()
                                .map(Review::id)
                                .toList(),
                        ids -> !ids.isEmpty()),
                Thread::startVirtualThread);
        await().atMost(LONG).until(() -> line.waiting() == before + 1);
        return listed;
    }

    private static long done(List<CompletableFuture<List<String>>> waiting) {
        return waiting.stream().filter(CompletableFuture::isDone).count();
    }
}
