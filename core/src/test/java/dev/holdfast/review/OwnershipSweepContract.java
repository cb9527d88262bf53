package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.RefusedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What brokers do after a start with the reviews that somebody held before. */
abstract class OwnershipSweepContract extends OnReviews {
    OwnershipSweepContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_holder_that_nobody_knows_loses_its_review_when_brokers_start_again() {
        String id = heldBefore("manual-reviewer");
        assertThat(startUp(broker("one"))).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(id).generation()).isEqualTo(2);
        assertThat(detail(events(id).getLast()).at("/metadata/reason").asString())
                .isEqualTo("stale_session");
        assertThat(detail(events(id).getLast()).at("/metadata/old_reviewer").asString())
                .isEqualTo("manual-reviewer");
        assertRefused(() -> verdict(id, "approved", null, "manual-reviewer", 1L), "stale", "Stale claim");
    }

    @Test
    void sessions_and_the_reviewers_of_living_brokers_keep_theirs() {
        String session = heldBefore("ann");
        String active = heldBefore("codex-r1");
        String draining = heldBefore("codex-r2");
        String terminated = heldBefore("codex-r3");
        comingBack.add("ann");
        managed.put("codex-r1", new Reviewers.Managed("active", null, null));
        managed.put("codex-r2", new Reviewers.Managed("draining", null, null));
        managed.put("codex-r3", new Reviewers.Managed("terminated", null, null));
        assertThat(startUp(broker("one"))).containsExactly(Review.resource(terminated));
        assertThat(List.of(session, active, draining))
                .allSatisfy(id -> assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED));
    }

    @Test
    void a_person_who_has_its_page_open_keeps_theirs() {
        String id = heldBefore("mira");
        reviews.readingState().looked(id, "mira", 1);
        assertThat(startUp(broker("one"))).isEmpty();
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown(id).generation()).isEqualTo(1);
    }

    @Test
    void what_is_claimed_or_renewed_after_the_start_stays() {
        String renewed = heldBefore("manual-a");
        Sweeper broker = broker("one");
        broker.turn();
        on.settableClock().advance(Duration.ofSeconds(1));
        claims.heartbeat(Review.resource(renewed), Fence.of("manual-a", 1));
        String fresh = create();
        claim(fresh, "manual-b");
        assertThat(reviews.ownership().turn(broker.identity())).isEmpty();
        assertThat(shown(renewed).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown(fresh).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    @Test
    void it_happens_once() {
        Sweeper broker = broker("one");
        assertThat(startUp(broker)).isEmpty();
        String id = create();
        claim(id, "manual-reviewer");
        on.settableClock().advance(Duration.ofMinutes(5));
        assertThat(startUp(broker)).isEmpty();
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    @Test
    void brokers_that_start_at_once_take_each_review_back_once() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(heldBefore("manual-" + i));
        }
        List<CompletableFuture<List<Resource>>> starting = new ArrayList<>();
        List<Reviews> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Reviews one = reviews(RequireFence.ALWAYS);
            all.add(one);
            Sweeper broker = broker("broker-" + i);
            broker.turn();
            starting.add(CompletableFuture.supplyAsync(() -> one.ownership().turn(broker.identity())));
        }
        assertThat(starting.stream().flatMap(taken -> taken.join().stream()).map(Resource::id))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids).allSatisfy(id -> assertThat(shown(id).generation()).isEqualTo(2));
        all.forEach(Reviews::close);
    }

    @Test
    void a_review_that_cannot_be_taken_back_keeps_no_other_from_it() {
        String first = heldBefore("manual-a");
        String bad = heldBefore("manual-b");
        String last = heldBefore("manual-c");
        try (RefusedRow _ = RefusedRow.of(on, "UPDATE", "resources", "key", "review:" + bad)) {
            assertThat(startUp(broker("one"))).containsExactlyInAnyOrder(Review.resource(first), Review.resource(last));
        }
    }

    @Test
    void what_a_reviewer_held_is_pending_again_except_what_cannot_be() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(heldBefore("codex-r1"));
        }
        try (RefusedRow _ = RefusedRow.of(on, "UPDATE", "resources", "key", "review:" + ids.get(1))) {
            assertThat(reviews.reclaims().reclaimFrom("codex-r1", "reviewer_process_exit"))
                    .isEqualTo(2);
        }
        assertThat(reviews.reclaims().reclaimFrom("codex-r1", "reviewer_process_exit"))
                .isEqualTo(1);
    }

    private String heldBefore(String reviewer) {
        String id = create();
        claim(id, reviewer);
        on.settableClock().advance(Duration.ofSeconds(1));
        return id;
    }

    Sweeper broker(String name) {
        return new Sweeper(claims, name, Sweeper.Caution.DEFAULT, System::nanoTime, () -> {});
    }

    List<Resource> startUp(Sweeper broker) {
        broker.turn();
        return reviews.ownership().turn(broker.identity());
    }
}
