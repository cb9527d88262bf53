package dev.holdfast.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.OnBroker;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetersTest extends OnBroker {
    @Test
    void everything_is_there_from_the_start_and_nothing_is_added_by_use() {
        Set<String> before = series();
        for (String name : List.of(
                "holdfast_claims_total{kind=\"key\",outcome=\"granted\"}",
                "holdfast_claim_seconds_count{kind=\"key\"}",
                "holdfast_heartbeats_total{outcome=\"lost\"}",
                "holdfast_reclaims_total{kind=\"work\",reason=\"expired\"}",
                "holdfast_fenced_writes_total{kind=\"key\",reason=\"stale\"}",
                "holdfast_queue_depth{kind=\"work\",state=\"ready\"}",
                "holdfast_combined_batch_size_count",
                "holdfast_store_seconds_count{operation=\"write\"}",
                "holdfast_store_lost_answers_total",
                "holdfast_http_seconds_count{door=\"api\"}")) {
            assertThat(before).contains(name);
        }

        use();

        assertThat(series()).isEqualTo(before);
    }

    @Test
    void what_happens_is_counted_once() {
        use();

        assertThat(value("holdfast_claims_total{kind=\"key\",outcome=\"granted\"}"))
                .isEqualTo(2);
        assertThat(value("holdfast_claims_total{kind=\"key\",outcome=\"held\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_claims_total{kind=\"work\",outcome=\"nothing\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_reclaims_total{kind=\"key\",reason=\"taken_over\"}"))
                .isEqualTo(1);
        assertThat(value("holdfast_heartbeats_total{outcome=\"lost\"}")).isEqualTo(2);
        assertThat(value("holdfast_fenced_writes_total{kind=\"key\",reason=\"lost\"}"))
                .isEqualTo(2);
        assertThat(value("holdfast_queue_depth{kind=\"key\",state=\"held\"}")).isEqualTo(1);
    }

    private void use() {
        long first = caller.call("claim", "resource", "key:a", "holder", "one").generation();
        caller.call("claim", "resource", "key:a", "holder", "two");
        endLeases();
        caller.call("claim", "resource", "key:a", "holder", "two");
        caller.call("heartbeat", "resource", "key:a", "holder", "one", "claim_generation", first);
        caller.call("release", "resource", "key:a", "holder", "one", "claim_generation", first);
        caller.call("heartbeat", "holder", "one");
        caller.call("claim_next", "kind", "work", "holder", "two");
    }

    /** Every claim of a key is over, at once: a short lease could end before somebody finds it held. */
    private void endLeases() {
        try (Connection store = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                Statement change = store.createStatement()) {
            change.execute("PRAGMA busy_timeout = 5000");
            change.execute("UPDATE resources SET expires_at = renewed_at WHERE state = 'held' AND kind = 'key'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_reviewers_do_is_counted_too() {
        Set<String> before = series();
        String id = review();
        caller.call("claim_review", "review_id", id, "reviewer_id", "one");
        caller.call("claim_review", "review_id", id, "reviewer_id", "two");
        caller.call("claim", "resource", "review:" + id, "holder", "two");
        caller.call("claim_next_review", "reviewer_id", "two");
        judge(id, "comment", "one", 1);
        judge(id, "approved", "two", 1);
        judge(id, "approved", "one", 7);
        judge(id, "approved", "one", 1);
        judge(id, "approved", "one", 1);
        caller.call("release_review", "review_id", id, "reviewer_id", "one", "claim_generation", 5);

        assertThat(claims("granted")).isEqualTo(1);
        assertThat(claims("held")).isEqualTo(2);
        assertThat(claims("nothing")).isEqualTo(1);
        assertThat(value("holdfast_claim_seconds_count{kind=\"review\"}")).isEqualTo(4);
        assertThat(value("holdfast_verdicts_total{verdict=\"comment\"}")).isEqualTo(1);
        assertThat(value("holdfast_verdicts_total{verdict=\"approved\"}")).isEqualTo(1);
        assertThat(fenced("wrong_holder")).isEqualTo(1);
        assertThat(fenced("stale")).isEqualTo(1);
        assertThat(fenced("lost")).isEqualTo(1);
        assertThat(series()).isEqualTo(before);
    }

    private String review() {
        return caller.call("create_review", "intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1")
                .text("review_id");
    }

    private void judge(String id, String verdict, String reviewer, long generation) {
        caller.call(
                "submit_verdict",
                "review_id",
                id,
                "verdict",
                verdict,
                "reason",
                "so it is",
                "reviewer_id",
                reviewer,
                "claim_generation",
                generation);
    }

    private double claims(String outcome) {
        return value("holdfast_claims_total{kind=\"review\",outcome=\"" + outcome + "\"}");
    }

    private double fenced(String reason) {
        return value("holdfast_fenced_writes_total{kind=\"review\",reason=\"" + reason + "\"}");
    }

    private double value(String series) {
        return lines().stream()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private Set<String> series() {
        return lines().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toSet());
    }

    private List<String> lines() {
        return caller.get("/metrics")
                .raw()
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
