package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * What reviewers' coming and going does to reviews, by the names of the cases first written down (seed 002, from its 11th
 * on), with the pool's own register of reviewers; those in which processes start and end are the broker's.
 */
abstract class ReviewerLifecycleContract extends OnAPoolsRegister {
    ReviewerLifecycleContract(Engine engine) {
        super(engine);
    }

    @Test
    void claim_timeout_triggers_reclaim() {
        String id = create();
        claim(id, "codex-r1-abc");
        on.settableClock().advance(Duration.ofMinutes(20));
        assertThat(claims.sweep(10)).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(id).generation()).isEqualTo(2);
        assertThat(reviews.history().events(id, Page.Request.ALL).entries().getLast())
                .satisfies(event -> assertThat(event.type()).isEqualTo("review_reclaimed"))
                .satisfies(event -> assertThat(metadata(event, "old_reviewer")).isEqualTo("codex-r1-abc"))
                .satisfies(event -> assertThat(metadata(event, "reason")).isEqualTo("claim_timeout"));
    }

    /** Whoever claims what has timed out need not wait for the sweep; the log says why it could. */
    @Test
    void a_timed_out_claim_that_another_takes_over_at_once_is_told_as_a_claim_timeout() {
        String id = create();
        claim(id, "codex-r1-abc");
        on.settableClock().advance(Duration.ofMinutes(20));
        claim(id, "codex-r2-abc");
        assertThat(reviews.history().events(id, Page.Request.ALL).entries().getLast())
                .satisfies(event -> assertThat(event.type()).isEqualTo("review_claimed"))
                .satisfies(event -> assertThat(metadata(event, "old_reviewer")).isEqualTo("codex-r1-abc"))
                .satisfies(event -> assertThat(metadata(event, "reason")).isEqualTo("claim_timeout"));
    }

    @Test
    void stale_session_recovery_on_startup() {
        enlist("codex-r1-old");
        enlist("codex-r2-old");
        String first = create();
        claim(first, "codex-r1-old");
        String second = create();
        claim(second, "codex-r2-old");
        pool.drain("codex-r2-old", "ttl");
        pool.live().forEach(reviewer -> pool.terminated(reviewer.id(), "broker_gone", null, null));
        assertThat(startUp()).containsExactlyInAnyOrder(Review.resource(first), Review.resource(second));
        assertThat(shown(first).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(shown(second).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void reject_claim_for_draining_reviewer() {
        enlist("codex-r1-abc");
        pool.drain("codex-r1-abc", "manual");
        String id = create();
        assertRefused(() -> claim(id, "codex-r1-abc"), "forbidden", "Reviewer codex-r1-abc is draining");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void reject_claim_for_terminated_reviewer() {
        enlist("codex-r1-abc");
        pool.terminated("codex-r1-abc", "exited", 0, null);
        String id = create();
        assertRefused(() -> claim(id, "codex-r1-abc"), "forbidden", "Reviewer codex-r1-abc is terminated");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    @Test
    void startup_reclaims_claimed_review_with_missing_reviewer_row() {
        String id = create();
        claim(id, "codex-r1-gone");
        assertThat(startUp()).containsExactly(Review.resource(id));
    }

    @Test
    void startup_reclaims_claimed_review_from_foreign_session() {
        String id = create();
        enlist("codex-r1-foreign");
        claim(id, "codex-r1-foreign");
        pool.terminated("codex-r1-foreign", "broker_gone", null, null);
        assertThat(startUp()).containsExactly(Review.resource(id));
    }

    /** Our addition: an agent or a person with a live session keeps it as well. */
    @Test
    void startup_preserves_claimed_review_from_live_current_session_reviewer() {
        String active = create();
        enlist("codex-r1-abc");
        claim(active, "codex-r1-abc");
        String persons = create();
        String ann = new Agents(on.store(), claims)
                .start(new SessionStart("s1", "person", "ann", null, null, null, null, null))
                .id();
        claim(persons, ann);
        assertThat(startUp()).isEmpty();
        assertThat(shown(active).status()).isEqualTo(ReviewStatus.CLAIMED);
        assertThat(shown(persons).status()).isEqualTo(ReviewStatus.CLAIMED);
    }

    /** Changed: every claim is made with its expiry. SQLite refuses one without; in PostgreSQL, doctor finds it. */
    @Test
    void claim_timeout_reclaim_with_null_claimed_at() {
        String id = create();
        claim(id, "codex-r1-abc");
        if (on.address() == null) {
            assertThatThrownBy(() -> on.store()
                            .write(transaction -> transaction.update(
                                    Sql.of(
                                            "UPDATE resources SET acquired_at = NULL, expires_at = NULL WHERE key = :key"),
                                    p -> p.text("key", "review:" + id))))
                    .isInstanceOf(StoreException.class);
        }
        on.store()
                .write(transaction -> transaction.update(
                        Sql.of("UPDATE resources SET renewed_at = NULL WHERE key = :key"),
                        p -> p.text("key", "review:" + id)));
        on.settableClock().advance(Duration.ofMinutes(20));
        assertThat(claims.sweep(10)).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
    }

    private static String metadata(AuditEvent event, String name) {
        return JsonMapper.shared().valueToTree(event.metadata()).path(name).asString();
    }

    private List<Resource> startUp() {
        on.settableClock().advance(Duration.ofSeconds(1));
        Sweeper broker = new Sweeper(claims, "one", Sweeper.Caution.DEFAULT, System::nanoTime, () -> {});
        broker.turn();
        return reviews.ownership().turn(broker.identity());
    }
}
