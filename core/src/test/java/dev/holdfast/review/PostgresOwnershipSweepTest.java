package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where there can be several brokers, it also depends on who else is alive. */
class PostgresOwnershipSweepTest extends OwnershipSweepContract {
    PostgresOwnershipSweepTest() {
        super(Engine.POSTGRES);
    }

    @Test
    void a_broker_that_joins_others_takes_nothing_back() {
        Sweeper first = broker("first");
        startUp(first);
        on.settableClock().advance(Duration.ofSeconds(1));
        String id = create();
        claim(id, "manual-reviewer");
        on.settableClock().advance(Duration.ofSeconds(1));
        try (Reviews second = reviews(RequireFence.ALWAYS)) {
            Sweeper joining = broker("second");
            joining.turn();
            assertThat(second.ownership().turn(joining.identity())).isEmpty();
            on.settableClock().advance(Duration.ofSeconds(5));
            first.turn();
            assertThat(second.ownership().turn(joining.identity())).isEmpty();
            first.close(); // a rolling restart: the second is the oldest now, and still takes nothing
            assertThat(second.ownership().turn(joining.identity())).isEmpty();
        }
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    @Test
    void a_broker_that_crashed_counts_as_alive_until_its_lease_runs_out() {
        Sweeper crashed = broker("crashed");
        startUp(crashed);
        on.settableClock().advance(Duration.ofSeconds(1));
        String id = create();
        claim(id, "manual-reviewer");
        on.settableClock().advance(Duration.ofSeconds(1));
        try (Reviews second = reviews(RequireFence.ALWAYS)) {
            Sweeper next = broker("next");
            next.turn();
            assertThat(second.ownership().turn(next.identity())).isEmpty();
            on.settableClock().advance(Duration.ofSeconds(40));
            next.turn();
            assertThat(second.ownership().turn(next.identity())).containsExactly(Review.resource(id));
        }
    }
}
