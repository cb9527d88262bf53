package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.claim.Fence;
import dev.holdfast.review.pool.LiveReviewers;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A review is kept for the reviewer that knows it only as long as that one shows life. */
abstract class KeptReviewsContract extends OnReviews {
    private static final Duration LEASE = Duration.ofMinutes(20);

    private Agents agents;

    KeptReviewsContract(Engine engine) {
        super(engine);
    }

    @BeforeEach
    void knowSessions() {
        agents = new Agents(on.store(), claims);
        reviews.close();
        reviews = new Reviews(
                on.store(),
                claims,
                RequireFence.ALWAYS,
                new LiveReviewers(new PoolReviewers(on.store(), claims.events(), null), LEASE),
                DiffCheck.NONE,
                ReviewLimits.DEFAULT,
                () -> UUID.randomUUID().toString());
    }

    @Test
    void a_review_is_not_kept_for_a_session_that_died_without_a_word() {
        String reviewer = session("s-1");
        String id = keptFor(reviewer);
        assertRefused(() -> claim(id, "somebody"), "held", "reserved for reviewer " + reviewer);
        on.settableClock().advance(LEASE.plusSeconds(1));
        assertThat(reviews.reserved().offerAbandoned()).isEqualTo(1);
        assertThat(next("somebody")).contains(id);
    }

    @Test
    void it_can_be_claimed_by_name_before_any_sweep() {
        String id = keptFor(session("s-1"));
        on.settableClock().advance(LEASE.plusSeconds(1));
        assertThat(claim(id, "somebody").claim().holder()).isEqualTo("somebody");
    }

    @Test
    void it_is_kept_while_its_reviewer_is_heard_of() {
        String reviewer = session("s-1");
        String id = keptFor(reviewer);
        for (int i = 0; i < 5; i++) {
            on.settableClock().advance(LEASE.dividedBy(2));
            agents.seen(reviewer);
            assertThat(reviews.reserved().offerAbandoned()).isZero();
        }
        assertThat(next("somebody")).isEmpty();
        assertThat(next(reviewer)).contains(id);
    }

    @Test
    void it_is_offered_when_the_session_of_its_reviewer_ends() {
        String id = keptFor(session("s-1"));
        agents.end("s-1");
        assertThat(reviews.reserved().offerAbandoned()).isEqualTo(1);
        assertThat(next("somebody")).contains(id);
    }

    @Test
    void nothing_is_kept_for_a_reviewer_without_a_session() {
        String id = keptFor("passer-by");
        assertThat(shown(id).claimedBy()).isNull();
        assertThat(next("somebody")).contains(id);
    }

    @Test
    void what_a_silent_session_holds_is_its_own_until_its_lease_runs_out() {
        String reviewer = session("s-1");
        String id = create();
        reviews.claiming().claim(id, reviewer, Duration.ofHours(2), null);
        on.settableClock().advance(LEASE.plusMinutes(1));
        boolean alive = on.store()
                .read(transaction -> new LiveReviewers(new PoolReviewers(on.store(), claims.events(), null), LEASE)
                        .alive(transaction, reviewer));
        assertThat(alive).isTrue();
    }

    private String session(String session) {
        return agents.start(new SessionStart(session, "claude", null, null, null, null, null, null))
                .id();
    }

    private String keptFor(String reviewer) {
        String id = create();
        long generation = claim(id, reviewer).claim().generation();
        submit(id, Verdicts.Submission.of("changes_requested", "no test", Fence.of(reviewer, generation)));
        addMessage(id, "proposer", "why?", null);
        return id;
    }

    private Optional<String> next(String reviewer) {
        return reviews.next()
                .claim(new NextReview.Request(reviewer, null, null, null, null, Duration.ZERO), Caller.UNKNOWN)
                .map(granted -> granted.review().id());
    }
}
