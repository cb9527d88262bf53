package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What reviewers' coming and going does to reviews, by the names of the cases first written down (seed 002, from its 11th
 * on); those of processes and scaling are the pool's. Who is managed is kept in memory here.
 */
abstract class ReviewerLifecycleContract extends OnBothStores {
    private static final Reviewers.Managed DRAINING = new Reviewers.Managed("draining", null);

    ReviewerLifecycleContract(Engine engine) {
        super(engine);
    }

    @Test
    void claim_timeout_triggers_reclaim() {
        String id = create();
        claim(id, "codex-r1-abc");
        on.settableClock().advance(Duration.ofMinutes(20));
        assertThat(claims.sweep(10)).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(Status.PENDING);
        assertThat(shown(id).generation()).isEqualTo(2);
        assertThat(reviews.history().events(id, Page.Asked.ALL).entries().getLast())
                .satisfies(event -> assertThat(event.type()).isEqualTo("review_reclaimed"))
                .satisfies(event -> assertThat(String.valueOf(event.metadata())).contains("codex-r1-abc"));
    }

    @Test
    void stale_session_recovery_on_startup() {
        managed.put("codex-r1-old", new Reviewers.Managed("active", null));
        managed.put("codex-r2-old", DRAINING);
        String first = create();
        claim(first, "codex-r1-old");
        String second = create();
        managed.put("codex-r2-old", new Reviewers.Managed("active", null));
        claim(second, "codex-r2-old");
        managed.replaceAll((_, _) -> new Reviewers.Managed("terminated", null)); // as the pool does at its start
        assertThat(startUp()).containsExactlyInAnyOrder(Review.resource(first), Review.resource(second));
        assertThat(shown(first).status()).isEqualTo(Status.PENDING);
        assertThat(shown(second).status()).isEqualTo(Status.PENDING);
    }

    @Test
    void reject_claim_for_draining_reviewer() {
        managed.put("codex-r1-abc", DRAINING);
        String id = create();
        assertRefused(() -> claim(id, "codex-r1-abc"), "forbidden", "Reviewer codex-r1-abc is draining");
        assertThat(shown(id).status()).isEqualTo(Status.PENDING);
    }

    @Test
    void reject_claim_for_terminated_reviewer() {
        managed.put("codex-r1-abc", new Reviewers.Managed("terminated", null));
        String id = create();
        assertRefused(() -> claim(id, "codex-r1-abc"), "forbidden", "Reviewer codex-r1-abc is terminated");
        assertThat(shown(id).status()).isEqualTo(Status.PENDING);
    }

    @Test
    void terminate_draining_reviewer_after_terminal_verdict() {
        DrainingRegistry pool = new DrainingRegistry(claims, managed);
        String id = create();
        claim(id, "codex-r1-abc");
        managed.put("codex-r1-abc", DRAINING);
        verdict(id, "comment", "hm", "codex-r1-abc", 1L);
        pool.hasSeen("verdict_comment");
        assertThat(managed.get("codex-r1-abc")).isEqualTo(DRAINING);
        verdict(id, "approved", null, "codex-r1-abc", 1L);
        assertThat(pool.ending("codex-r1-abc")).isEqualTo("verdict_submitted");
    }

    @Test
    void terminate_draining_reviewer_after_reclaim() {
        DrainingRegistry pool = new DrainingRegistry(claims, managed);
        String id = create();
        claim(id, "codex-r1-abc");
        managed.put("codex-r1-abc", DRAINING);
        on.settableClock().advance(Duration.ofMinutes(20));
        claims.sweep(10);
        assertThat(pool.ending("codex-r1-abc")).isEqualTo("reclaimed");
    }

    @Test
    void no_termination_when_other_claims_remain() {
        DrainingRegistry pool = new DrainingRegistry(claims, managed);
        String first = create();
        String second = create();
        claim(first, "codex-r1-abc");
        claim(second, "codex-r1-abc");
        managed.put("codex-r1-abc", DRAINING);
        reviews.proposals().withdraw(first, "not wanted");
        pool.hasSeen("review_withdrawn");
        assertThat(managed.get("codex-r1-abc")).isEqualTo(DRAINING);
        assertThat(verdict(second, "approved", null, "codex-r1-abc", 1L).status())
                .isEqualTo(Status.APPROVED);
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
        claim(id, "codex-r1-foreign");
        managed.put("codex-r1-foreign", new Reviewers.Managed("terminated", null));
        assertThat(startUp()).containsExactly(Review.resource(id));
    }

    /** Our addition: an agent or a person with a live session keeps it as well. */
    @Test
    void startup_preserves_claimed_review_from_live_current_session_reviewer() {
        String active = create();
        claim(active, "codex-r1-abc");
        managed.put("codex-r1-abc", new Reviewers.Managed("active", null));
        String persons = create();
        claim(persons, "ann");
        new Agents(on.store(), claims).start(new SessionStart("s1", "person", "ann", null, null, null, null, null));
        comingBack.add("ann");
        assertThat(startUp()).isEmpty();
        assertThat(shown(active).status()).isEqualTo(Status.CLAIMED);
        assertThat(shown(persons).status()).isEqualTo(Status.CLAIMED);
    }

    /** Changed: a claim without an expiry cannot be. The store refuses it, however it is written. */
    @Test
    void claim_timeout_reclaim_with_null_claimed_at() {
        String id = create();
        claim(id, "codex-r1-abc");
        assertThatThrownBy(() -> on.store()
                        .write(transaction -> transaction.update(
                                Sql.of("UPDATE resources SET acquired_at = NULL, expires_at = NULL WHERE key = :key"),
                                p -> p.text("key", "review:" + id))))
                .isInstanceOf(StoreException.class);
        on.store()
                .write(transaction -> transaction.update(
                        Sql.of("UPDATE resources SET renewed_at = NULL WHERE key = :key"),
                        p -> p.text("key", "review:" + id)));
        on.settableClock().advance(Duration.ofMinutes(20));
        assertThat(claims.sweep(10)).containsExactly(Review.resource(id));
        assertThat(shown(id).status()).isEqualTo(Status.PENDING);
    }

    private List<Resource> startUp() {
        on.settableClock().advance(Duration.ofSeconds(1));
        Sweeper broker = new Sweeper(claims, "one", Sweeper.Caution.DEFAULT, System::nanoTime, () -> {});
        broker.turn();
        return reviews.ownership().turn(broker.identity());
    }
}
