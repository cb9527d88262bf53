package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.Refusal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Holders that keep their reviews alive and never judge them. */
abstract class OverdueReviewsContract extends OnReviews {
    private static final Duration LONGEST = Duration.ofHours(1);

    OverdueReviewsContract(Engine engine) {
        super(engine);
    }

    @Test
    void a_reviewer_that_beats_for_ever_and_never_judges_loses_its_review() {
        String id = create();
        claim(id, "manual-reviewer");
        for (int i = 0; i < 6; i++) {
            assertThat(reviews.overdue().reclaim(LONGEST)).isEmpty();
            on.settableClock().advance(Duration.ofMinutes(10));
            assertThat(beat(id, 1)).isInstanceOf(HeartbeatOutcome.Extended.class);
        }
        assertThat(reviews.overdue().reclaim(LONGEST)).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(detail(events(id).getLast()).at("/metadata/reason").asString())
                .isEqualTo("overdue");
        assertThat(detail(events(id).getLast()).at("/metadata/old_reviewer").asString())
                .isEqualTo("manual-reviewer");
        assertThat(beat(id, 1)).isInstanceOf(Refusal.Lost.class);
        assertRefused(() -> verdict(id, "approved", null, "manual-reviewer", 1L), "stale", "Stale claim");
    }

    @Test
    void a_new_claim_has_its_whole_time() {
        String id = create();
        claim(id, "manual-reviewer");
        on.settableClock().advance(Duration.ofMinutes(15));
        reviews.claiming().release(id, Fence.of("manual-reviewer", 1), null);
        claim(id, "manual-reviewer");
        for (int i = 0; i < 5; i++) {
            on.settableClock().advance(Duration.ofMinutes(10));
            beat(id, 2);
        }
        assertThat(reviews.overdue().reclaim(LONGEST)).isEmpty();
        on.settableClock().advance(Duration.ofMinutes(10));
        assertThat(reviews.overdue().reclaim(LONGEST)).containsExactly(Review.resource(id));
    }

    private HeartbeatOutcome beat(String id, long generation) {
        return claims.heartbeat(Review.resource(id), Fence.of("manual-reviewer", generation));
    }
}
