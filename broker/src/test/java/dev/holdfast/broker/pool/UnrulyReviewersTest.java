package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reviewers that do not do what they should, as processes of a running broker. */
class UnrulyReviewersTest extends OnAPool {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    Settings store() {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }

    @Test
    void those_that_shout_fork_and_hang_keep_nobody_from_reviewing_and_end_with_the_broker() {
        size = size(3, 1, Duration.ofMillis(1), Duration.ofMinutes(5));
        String script = """
                case "$1" in
                *-r1-*) trap '' TERM; head -c 100000000 /dev/zero | tr '\\0' x; while :; do sleep 1; done;;
                *-r2-*) trap '' TERM; sleep 1000 & (setsid sleep 1001 &); while :; do sleep 1; done;;
                *) shift; exec "$@";;
                esac""";
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh", "{reviewer_id}"));
        command.addAll(ScriptedReviewer.command("approve", folder));
        start(command);
        List<String> reviews = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            reviews.add(create("shop"));
        }
        await().atMost(PATIENCE)
                .until(() -> reviews.stream().allMatch(review -> status(review).equals("approved")));
        assertThat(reviewers("active")).hasSize(3);
        String session = caller.call("list_reviewers").text("session_token");
        assertThat(processes(session)).isGreaterThan(4);
        broker.close();
        assertThat(processes(session)).isZero();
    }

    @Test
    void one_that_asks_for_nothing_is_replaced() {
        size = size(1, 1, Duration.ofMillis(1), Duration.ofSeconds(2));
        start(ScriptedReviewer.command("wait", folder));
        create("shop");
        await().atMost(PATIENCE).until(() -> reviewers().size() >= 2);
        JsonNode first = reviewers().getFirst();
        assertThat(first.path("end_reason").asString()).isEqualTo("never_claimed");
        assertThat(lives(first)).isFalse();
    }

    @Test
    void one_that_is_old_is_drained_and_another_does_what_comes_next() {
        size = new PoolConfig.Size(
                1,
                3,
                Duration.ofMillis(1),
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1));
        start(ScriptedReviewer.command("approve", folder));
        String first = create("shop");
        await().atMost(PATIENCE).until(() -> status(first).equals("approved"));
        await().atMost(PATIENCE).until(() -> reviewers("terminated").size() == 1);
        JsonNode old = reviewers().getFirst();
        assertThat(old.path("end_reason").asString()).isEqualTo("ttl");
        assertThat(lives(old)).isFalse();
        String second = create("shop");
        await().atMost(PATIENCE).until(() -> status(second).equals("approved"));
        assertThat(reviewers()).hasSize(2);
        assertThat(reviewers().getLast().path("reviews_completed").asInt()).isEqualTo(1);
    }

    @Test
    void what_may_be_spent_in_a_day_holds_for_people_too() {
        limits = new PoolConfig.Limits(null, 1L, 256 << 20);
        start(SLEEPER);
        assertThat(caller.call("spawn_reviewer").status()).isEqualTo(200);
        Reply refused = caller.call("spawn_reviewer");
        assertThat(refused.text("code")).isEqualTo("busy");
        assertThat(refused.text("error"))
                .isEqualTo("Not started: the limit of 1 spawns per day is reached (reviewer_pool.limits)");
        for (int i = 0; i < 5; i++) {
            create("shop");
        }
        await().until(() -> caller.call("list_reviewers").text("held_back").contains("1 spawns per day"));
        assertThat(reviewers()).hasSize(1);
    }
}
