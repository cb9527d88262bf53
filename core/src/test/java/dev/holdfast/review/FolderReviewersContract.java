package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reviewers that are bound to a folder: they review whatever projects have their files there, and no others. */
abstract class FolderReviewersContract extends OnReviews {
    private static final String HERE = "codex-r1-s1";
    private static final Duration LONG = Duration.ofSeconds(60);

    /** By project key; everything else is in /w. */
    private final Map<String, String> folders = new ConcurrentHashMap<>();

    private PoolReviewers pool = new PoolReviewers(on.store(), claims.events(), null);

    FolderReviewersContract(Engine engine) {
        super(engine);
    }

    @BeforeEach
    void begin() {
        reviews.close();
        folders.clear();
        folders.put("bank", "/w/bank");
        pool = new PoolReviewers(on.store(), claims.events(), null, key -> folders.getOrDefault(key, "/w"), null);
        reviews = reviewsOf(pool);
        enlist(HERE, "/w");
        enlist("codex-r2-s1", "/w/bank");
    }

    @Test
    void it_takes_the_most_urgent_and_oldest_of_all_projects_in_its_folder() {
        String first = create("shop");
        createUrgent("bank");
        String without = create(null);
        String urgent = createUrgent("Web Site");
        String last = create("shop");
        for (String expected : List.of(urgent, first, without, last)) {
            assertThat(next(HERE, null)).contains(expected);
            verdict(expected, "changes_requested", "no", HERE, null);
        }
        assertThat(next(HERE, null)).isEmpty();
        assertThat(next("codex-r2-s1", null)).isPresent();
    }

    @Test
    void what_belongs_elsewhere_cannot_be_claimed_by_name_either() {
        String elsewhere = create("bank");
        assertRefused(
                () -> claim(elsewhere, HERE),
                "forbidden",
                "Reviewer " + HERE
                        + " reads folder '/w' and cannot claim review project 'bank', whose files are elsewhere.");
        assertRefused(() -> next(HERE, "Bank"), "forbidden", "reads folder '/w'");
        assertThat(shown(elsewhere).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(claim(elsewhere, "codex-r2-s1").claim().holder()).isEqualTo("codex-r2-s1");
        String here = create("shop");
        assertThat(claim(here, HERE).claim().holder()).isEqualTo(HERE);
    }

    @Test
    void a_project_that_moves_is_out_of_reach_from_then_on() {
        String before = create("shop");
        assertThat(claim(before, HERE).claim().holder()).isEqualTo(HERE);
        folders.put("shop", "/w/shop");
        String after = create("shop");
        assertRefused(() -> claim(after, HERE), "forbidden", "reads folder '/w'");
        assertThat(next(HERE, null)).isEmpty();
        folders.remove("shop");
        assertThat(next(HERE, null)).contains(after);
    }

    @Test
    void what_is_kept_for_it_is_offered_to_others_when_the_project_moves() {
        String id = create("shop");
        claim(id, HERE);
        verdict(id, "changes_requested", "no tests", HERE, null);
        addMessage(id, "proposer", "there are", null);
        assertRefused(() -> claim(id, "somebody"), "held", "reserved for reviewer " + HERE);
        assertThat(reviews.reserved().offerAbandoned()).isZero();
        folders.put("shop", "/w/shop");
        assertThat(reviews.reserved().offerAbandoned()).isEqualTo(1);
        assertThat(next(HERE, null)).isEmpty();
        assertThat(next("somebody", null)).contains(id);
    }

    @Test
    void a_revision_that_names_another_project_counts_by_where_that_is() {
        String id = create("shop");
        claim(id, HERE);
        verdict(id, "changes_requested", "wrong project", HERE, null);
        revise(id, proposal().project("bank"));
        assertRefused(() -> claim(id, HERE), "forbidden", "cannot claim review project 'bank'");
    }

    @Test
    void of_a_named_project_it_gets_only_that() {
        createUrgent("shop");
        String wanted = create("site");
        assertThat(next(HERE, "Site")).contains(wanted);
    }

    @Test
    void a_lost_answer_is_given_again_whatever_else_has_become_urgent() {
        String first = create("shop");
        assertThat(next(HERE, null, "request-1", Duration.ZERO)).contains(first);
        createUrgent("site");
        assertThat(next(HERE, null, "request-1", Duration.ZERO)).contains(first);
        assertThat(claims.held(Kind.REVIEW, HERE, null)).hasSize(1);
    }

    @Test
    void whoever_waits_is_woken_by_what_it_may_have_and_not_kept_by_what_it_may_not() {
        CompletableFuture<Optional<String>> waiting = CompletableFuture.supplyAsync(() -> next(HERE, null, null, LONG));
        await().until(() -> reviews.waiting() == 1);
        create("bank");
        create("bank");
        String mine = create("newcomer");
        assertThat(waiting.join()).contains(mine);
    }

    @Test
    void one_that_is_drained_while_it_waits_gets_nothing() {
        CompletableFuture<Optional<String>> waiting = CompletableFuture.supplyAsync(() -> next(HERE, null, null, LONG));
        await().until(() -> reviews.waiting() == 1);
        pool.drain(HERE, "manual");
        String id = create("shop");
        assertThat(waiting.handle((_, refused) -> String.valueOf(refused)).join())
                .contains("is draining");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void two_at_once_never_get_the_same() {
        enlist("codex-r3-s1", "/w");
        List<String> ids = List.of(create("a"), create("b"), create("c"), create("d"));
        List<CompletableFuture<Optional<String>>> both = List.of(
                CompletableFuture.supplyAsync(() -> next(HERE, null, "1", Duration.ZERO)),
                CompletableFuture.supplyAsync(() -> next("codex-r3-s1", null, "2", Duration.ZERO)),
                CompletableFuture.supplyAsync(() -> next(HERE, null, "3", Duration.ZERO)),
                CompletableFuture.supplyAsync(() -> next("codex-r3-s1", null, "4", Duration.ZERO)));
        assertThat(both.stream().map(one -> one.join().orElseThrow())).containsExactlyInAnyOrderElementsOf(ids);
    }

    private String create(@Nullable String project) {
        return create(project, "gsd-executor");
    }

    /** Planners' reviews are the more urgent ones. */
    private String createUrgent(String project) {
        return create(project, "gsd-planner");
    }

    private String create(@Nullable String project, String agentType) {
        return reviews.proposals()
                .create(Proposal.of("add a cache", agentType, "proposer", "7").project(project))
                .id();
    }

    private Optional<String> next(String reviewer, @Nullable String project) {
        return next(reviewer, project, UUID.randomUUID().toString(), Duration.ZERO);
    }

    private Optional<String> next(
            String reviewer, @Nullable String project, @Nullable String request, Duration patience) {
        return reviews.next()
                .claim(new NextReview.Request(reviewer, project, null, null, request, patience), Caller.UNKNOWN)
                .map(granted -> granted.review().id());
    }

    private void enlist(String id, String folder) {
        PoolReviewer.Host host = new PoolReviewer.Host("here", new PoolReviewer.Started(1, 1));
        pool.enlist(
                _ -> List.of(new PoolReviewer.New(id, id, "s1", "broker-1", host, null, folder, folder, "hash-" + id)));
    }
}
