package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.pool.Scaler.Decisions;
import dev.holdfast.broker.pool.Scaler.Drain;
import dev.holdfast.broker.pool.Scaler.End;
import dev.holdfast.broker.pool.Scaler.Start;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewer.State;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.pool.PoolSituation.Crashes;
import dev.holdfast.review.pool.PoolSituation.Live;
import dev.holdfast.review.pool.PoolSituation.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalerTest {
    private static final String OWN = "broker-1";
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Scaling RULES = new Scaling(
            3,
            3,
            Duration.ofSeconds(10),
            Duration.ofSeconds(120),
            Duration.ofSeconds(300),
            Duration.ofSeconds(3_600),
            Duration.ofSeconds(1_200),
            null,
            null);

    private final List<Live> reviewers = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private Scaling rules = RULES;
    private long spawns;
    private long reviews;
    private @Nullable Instant lastSpawn;
    private Crashes crashes = Crashes.NONE;

    /** pending, active, busy of these, waited seconds → started */
    @ParameterizedTest(name = "{0} pending for {3} s, {1} reviewers, {2} of them busy: {4} more")
    @CsvSource({
        "0, 0, 0,  0, 0",
        "1, 0, 0,  0, 1", // cold start
        "4, 0, 0,  0, 2",
        "2, 1, 0,  0, 0", // within the ratio
        "3, 1, 1,  0, 0",
        "4, 1, 1,  0, 1", // beyond it
        "200, 0, 0, 0, 3", // as many as the cap allows
        "200, 2, 2, 0, 1",
        "200, 3, 3, 0, 0",
        "1, 1, 1, 59, 0",
        "1, 1, 1, 60, 1", // it has waited a minute, and the only reviewer is busy
        "1, 1, 0, 60, 0", // somebody is free and will take it
        "1, 3, 3, 600, 0", // but never beyond the cap
    })
    void the_ratio_the_minute_and_the_cap(int waiting, int active, int busy, int seconds, int started) {
        IntStream.range(0, active).forEach(i -> reviewer("r" + i, null, State.ACTIVE, i < busy ? 1 : 0, 100, 10));
        if (waiting > 0) {
            pending(null, waiting, seconds);
        }
        assertThat(decide().starts()).hasSize(started);
    }

    @Test
    void each_project_has_its_own_reviewers_and_who_waits_longest_comes_first() {
        rules = sized(2);
        pending("shop", 1, 5);
        pending("bank", 4, 30);
        reviewer("shop", "Shop", State.ACTIVE, 0, 100, 10);
        assertThat(decide().starts()).containsExactly(new Start("bank"));
        reviewers.clear();
        assertThat(decide().starts()).containsExactly(new Start("bank"), new Start("shop"));
    }

    @Test
    void projects_of_one_folder_are_counted_together_and_their_reviewers_with_them() {
        pending("shop", 1, 5);
        pending("bank", 1, 30);
        pending(null, 1, 10);
        pending("site", 3, 20);
        pending("unseen", 9, 60);
        PoolSituation now = new PoolSituation(NOW, pending, reviewers, 0, 0, null, Crashes.NONE)
                .byFolder(Map.of("shop", "/w", "bank", "/w", "", "/w", "site", "/w/site"));
        assertThat(now.pending())
                .containsExactly(
                        new Pending("bank", "bank", "/w", 3, NOW.minusSeconds(30)),
                        new Pending("site", "site", "/w/site", 3, NOW.minusSeconds(20)));
        assertThat(new Scaler(rules).decide(now, OWN).starts()).containsExactly(new Start("bank"), new Start("site"));
        reviewers.add(bound("/w"));
        assertThat(new Scaler(rules).decide(now, OWN).starts()).containsExactly(new Start("site"));
    }

    @Test
    void a_reviewer_of_any_project_counts_for_one_of_them_at_a_time() {
        pending("shop", 3, 5);
        pending("bank", 3, 30);
        reviewer("any", null, State.ACTIVE, 0, 100, 10);
        assertThat(decide().starts()).containsExactly(new Start("shop"));
    }

    @Test
    void who_idles_for_a_project_with_nothing_to_do_makes_room_for_one_that_waits() {
        rules = sized(1);
        reviewer("shop", "shop", State.ACTIVE, 0, 100, 20);
        pending("bank", 1, 59);
        assertThat(decide().drains()).isEmpty();
        pending.clear();
        pending("bank", 1, 60);
        assertThat(decide().drains()).containsExactly(new Drain("shop", "room"));
    }

    @Test
    void those_that_are_ending_still_take_up_room() {
        rules = sized(1);
        reviewer("old", null, State.DRAINING, 1, 100, 10);
        pending(null, 9, 5);
        assertThat(decide().starts()).isEmpty();
        assertThat(decide().heldBack()).contains("all 1 reviewers");
    }

    @Test
    void reviewers_of_other_brokers_help_but_take_up_no_room_here_and_are_not_ended_from_here() {
        rules = sized(1);
        reviewers.add(
                live("other", null, State.ACTIVE, 0, 9_000, 9_000, "broker-2", NOW.minusSeconds(10_000), false, 1));
        pending(null, 3, 5);
        assertThat(decide().starts()).isEmpty();
        pending.clear();
        pending(null, 4, 5);
        assertThat(decide().starts()).hasSize(1);
        assertThat(decide().drains()).isEmpty();
    }

    @Test
    void after_a_round_of_starting_there_is_a_pause() {
        pending(null, 1, 5);
        lastSpawn = NOW.minusSeconds(9);
        assertThat(decide().starts()).isEmpty();
        assertThat(decide().heldBack()).isEqualTo("cooldown");
        assertThat(decide().lookAgain()).isEqualTo(NOW.plusSeconds(1));
        lastSpawn = NOW.minusSeconds(10);
        assertThat(decide().starts()).hasSize(1);
    }

    @ParameterizedTest(name = "{0} crashes, the last {1} s ago: starts {2}")
    @CsvSource({"1, 9, 0", "1, 10, 1", "2, 19, 0", "2, 20, 1", "5, 159, 0", "5, 160, 1", "20, 899, 0", "20, 900, 1"})
    void the_pause_doubles_with_every_crash_up_to_a_quarter_of_an_hour(int inARow, int secondsAgo, int starts) {
        pending(null, 1, 5);
        crashes = new Crashes(inARow, NOW.minusSeconds(secondsAgo), "no key");
        assertThat(decide().starts()).hasSize(starts);
    }

    @Test
    void limits_of_spending_hold_back_and_send_home() {
        rules = limited(5L, null);
        pending(null, 9, 5);
        spawns = 4;
        assertThat(decide().starts()).hasSize(1);
        spawns = 5;
        assertThat(decide().starts()).isEmpty();
        assertThat(decide().heldBack()).isEqualTo("the limit of 5 spawns per day is reached");

        rules = limited(null, 10L);
        reviewer("idle", null, State.ACTIVE, 0, 100, 10);
        reviewer("busy", null, State.ACTIVE, 1, 100, 10);
        reviews = 10;
        assertThat(decide().heldBack()).isEqualTo("the limit of 10 reviews per hour is reached");
        assertThat(decide().drains()).containsExactly(new Drain("idle", "limit"));
    }

    @Test
    void the_idle_the_old_the_hung_and_the_silent_leave() {
        reviewer("fresh", null, State.ACTIVE, 0, 299, 299);
        reviewer("idle", null, State.ACTIVE, 0, 400, 300);
        reviewer("at-work", null, State.ACTIVE, 1, 400, 300);
        reviewer("old", null, State.ACTIVE, 1, 3_600, 5);
        reviewers.add(live("starting", null, State.ACTIVE, 0, 119, 119, OWN, null, false, 0));
        reviewers.add(live("hung", null, State.ACTIVE, 0, 120, 120, OWN, null, false, 0));
        reviewers.add(live("lost", null, State.ACTIVE, 0, 1_300, 1_300, OWN, NOW.minusSeconds(10_000), true, 1));
        assertThat(decide().drains()).containsExactlyInAnyOrder(new Drain("idle", "idle"), new Drain("old", "ttl"));
        assertThat(decide().ends())
                .containsExactlyInAnyOrder(new End("hung", "hung"), new End("lost", "claim_timeout"));
    }

    @Test
    void who_never_claims_though_there_is_something_is_replaced() {
        reviewers.add(live("lazy", null, State.ACTIVE, 0, 300, 300, OWN, NOW.minusSeconds(10_000), false, 0));
        pending(null, 1, 250);
        assertThat(decide().drains()).containsExactly(new Drain("lazy", "never_claimed"));
        assertThat(decide().starts()).hasSize(1);
    }

    @Test
    void who_drains_ends_with_its_last_claim_or_when_that_takes_too_long() {
        reviewers.add(draining("working", 1, 1_199, "ttl"));
        reviewers.add(draining("done", 0, 3, "ttl"));
        reviewers.add(draining("stuck", 1, 1_200, "ttl"));
        reviewers.add(draining("forced", 2, 0, "force"));
        assertThat(decide().ends())
                .containsExactlyInAnyOrder(
                        new End("done", "ttl"), new End("stuck", "overdue"), new End("forced", "force"));
    }

    @Test
    void it_looks_again_when_the_next_thing_is_due() {
        assertThat(decide().lookAgain()).isNull();
        reviewer("r", null, State.ACTIVE, 0, 100, 290);
        assertThat(decide().lookAgain()).isEqualTo(NOW.plusSeconds(10));
        pending(null, 1, 55);
        assertThat(decide().lookAgain()).isEqualTo(NOW.plusSeconds(5));
    }

    @Property(tries = 500)
    void never_more_than_the_cap_and_never_without_need(
            @ForAll @IntRange(min = 1, max = 10) int max,
            @ForAll @Size(max = 12) List<@IntRange(max = 2) Integer> claims,
            @ForAll @Size(max = 4) List<@IntRange(min = 1, max = 50) Integer> waiting,
            @ForAll @IntRange(max = 120) int seconds) {
        reviewers.clear();
        pending.clear();
        rules = sized(max);
        for (int i = 0; i < Math.min(claims.size(), max); i++) {
            reviewer("r" + i, i % 2 == 0 ? null : "p" + i % 4, State.ACTIVE, claims.get(i), 100, 10);
        }
        for (int i = 0; i < waiting.size(); i++) {
            pending(i == 0 ? null : "p" + i, waiting.get(i), seconds);
        }
        Decisions decisions = decide();
        assertThat(reviewers.size() + decisions.starts().size()).isLessThanOrEqualTo(max);
        if (waiting.isEmpty()) {
            assertThat(decisions.starts()).isEmpty();
        } else if (reviewers.isEmpty()) {
            assertThat(decisions.starts()).isNotEmpty();
        }
        assertThat(decide()).isEqualTo(decisions);
    }

    private Decisions decide() {
        return new Scaler(rules)
                .decide(new PoolSituation(NOW, pending, reviewers, spawns, reviews, lastSpawn, crashes), OWN);
    }

    private static Scaling sized(int max) {
        return new Scaling(
                max, 3, RULES.cooldown(), RULES.start(), RULES.idle(), RULES.ttl(), RULES.claimTimeout(), null, null);
    }

    private static Scaling limited(@Nullable Long spawns, @Nullable Long reviews) {
        return new Scaling(
                3,
                3,
                RULES.cooldown(),
                RULES.start(),
                RULES.idle(),
                RULES.ttl(),
                RULES.claimTimeout(),
                spawns,
                reviews);
    }

    private void pending(@Nullable String project, long number, long seconds) {
        pending.add(new Pending(project == null ? "" : project, project, null, number, NOW.minusSeconds(seconds)));
    }

    private void reviewer(String id, @Nullable String project, State state, int claims, int age, int idleFor) {
        reviewers.add(live(id, project, state, claims, age, idleFor, OWN, NOW.minusSeconds(10_000), false, 1));
    }

    private static Live bound(String folder) {
        return changed(
                live("r", null, State.ACTIVE, 0, 100, 10, OWN, NOW.minusSeconds(10_000), false, 1), folder, null);
    }

    private static Live draining(String id, int claims, int seconds, String reason) {
        return changed(
                live(id, null, State.DRAINING, claims, 100, 10, OWN, NOW.minusSeconds(10_000), false, 1),
                null,
                new PoolReviewer.Draining(NOW.minusSeconds(seconds), reason));
    }

    /** @param folder the only one that it reviews; null: as before */
    private static Live changed(Live live, @Nullable String folder, PoolReviewer.@Nullable Draining draining) {
        PoolReviewer r = live.reviewer();
        return new Live(
                new PoolReviewer(
                        r.id(),
                        r.displayName(),
                        r.session(),
                        r.broker(),
                        r.host(),
                        r.project(),
                        folder == null ? r.folder() : folder,
                        folder == null ? r.workspace() : folder,
                        r.state(),
                        r.process(),
                        r.spawnedAt(),
                        r.contactAt(),
                        r.lastActiveAt(),
                        draining,
                        null,
                        r.claims(),
                        r.work()),
                live.claims(),
                false);
    }

    private static Live live(
            String id,
            @Nullable String project,
            State state,
            int claims,
            int age,
            int idleFor,
            String broker,
            @Nullable Instant contact,
            boolean lost,
            long everClaimed) {
        PoolReviewer reviewer = new PoolReviewer(
                id,
                id,
                "0a1b2c3d",
                broker,
                new PoolReviewer.Host("here", new PoolReviewer.Started(1, 1)),
                project,
                null,
                "/w",
                state,
                null,
                NOW.minusSeconds(age),
                contact,
                NOW.minusSeconds(idleFor),
                state == State.DRAINING ? new PoolReviewer.Draining(NOW, "ttl") : null,
                null,
                everClaimed,
                new PoolReviewer.Work(0, Duration.ZERO, 0, 0));
        return new Live(reviewer, claims, lost);
    }
}
