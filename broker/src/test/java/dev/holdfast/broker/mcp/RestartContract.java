package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.Given;
import dev.holdfast.broker.crash.BrokerProcess;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A real broker ends in the midst of long polls and another takes its place: clients go on with their next call. */
@Timeout(300)
abstract class RestartContract {
    abstract BrokerProcess.Start store();

    @Test
    void killed_in_the_middle_of_a_long_poll_nothing_is_lost_and_the_next_call_works() throws Exception {
        restartDuringLongPolls((broker, polls) -> {
            broker.kill();
            polls.forEach(poll -> assertThatThrownBy(poll::join).isInstanceOf(CompletionException.class));
        });
    }

    @Test
    void stopped_in_the_middle_of_a_long_poll_it_answers_first_and_the_next_call_works() throws Exception {
        restartDuringLongPolls((broker, polls) -> {
            assertThat(broker.stop()).isZero();
            assertThat(polls.get(0).join().path("reviews")).isEmpty();
            assertThat(polls.get(1).join().path("status").asString()).isEqualTo("claimed");
            assertThat(polls.get(2).join().path("review_id").isNull()).isTrue();
        });
    }

    private interface End {
        void of(BrokerProcess broker, List<CompletableFuture<JsonNode>> polls) throws Exception;
    }

    private void restartDuringLongPolls(End end) throws Exception {
        try (BrokerProcess first = store().now();
                JavaClient reviewer = connect(first);
                JavaClient proposer = connect(first)) {
            String held = propose(proposer);
            JsonNode claim = claim(reviewer, held);
            end.of(first, polls(reviewer, held));

            try (BrokerProcess _ = store().at(first.address()).now()) {
                goesOn(reviewer, proposer, held, claim);
            }
        }
    }

    @Test
    void a_review_that_was_granted_in_the_moment_of_the_kill_goes_to_the_same_reviewer() throws Exception {
        try (BrokerProcess first = store().now();
                JavaClient reviewer = connect(first);
                JavaClient proposer = connect(first)) {
            CompletableFuture<JsonNode> poll =
                    later(() -> reviewer.call("claim_next_review", "reviewer_id", "ann", "wait_seconds", 50));
            String id = propose(proposer);
            first.kill();
            poll.exceptionally(_ -> null).join(); // granted or not, answered or not

            try (BrokerProcess _ = store().at(first.address()).now()) {
                JsonNode granted = reviewer.call("claim_next_review", "reviewer_id", "ann", "wait_seconds", 50);
                assertThat(granted.path("review_id").asString()).isEqualTo(id);
                assertThat(judge(reviewer, id, granted)).isEqualTo("approved");
            }
        }
    }

    /** Three kinds of long polls, all of them under way. */
    private static List<CompletableFuture<JsonNode>> polls(JavaClient reviewer, String held) {
        List<CompletableFuture<JsonNode>> polls = List.of(
                later(() -> reviewer.call("list_reviews", "status", "pending", "wait", true)),
                later(() -> reviewer.call("get_review_status", "review_id", held, "wait", true)),
                later(() -> reviewer.call("claim_next_review", "reviewer_id", "bob", "wait_seconds", 50)));
        for (int i = 0; i < 20; i++) {
            reviewer.call("list_reviews"); // they were sent before these
        }
        assertThat(polls).noneMatch(CompletableFuture::isDone);
        return polls;
    }

    private static void goesOn(JavaClient reviewer, JavaClient proposer, String held, JsonNode claim) {
        CompletableFuture<JsonNode> poll =
                later(() -> reviewer.call("claim_next_review", "reviewer_id", "bob", "wait_seconds", 50));
        assertThat(judge(reviewer, held, claim)).isEqualTo("approved");
        assertThat(proposer.call("close_review", "review_id", held, "closer_role", "proposer")
                        .path("status")
                        .asString())
                .isEqualTo("closed");
        String next = propose(proposer);
        assertThat(poll.join().path("review_id").asString()).isEqualTo(next);
    }

    private static JavaClient connect(BrokerProcess broker) {
        URI address = broker.address();
        return JavaClient.to(address.toString(), "/mcp/all");
    }

    private static CompletableFuture<JsonNode> later(Supplier<JsonNode> call) {
        return CompletableFuture.supplyAsync(call, Thread.ofVirtual()::start);
    }

    private static String propose(JavaClient proposer) {
        return proposer.call("create_review", Given.proposal())
                .path("review_id")
                .asString();
    }

    /** With a session, which says that the reviewer is there whatever becomes of the broker. */
    private static JsonNode claim(JavaClient reviewer, String id) {
        String holder = reviewer.call("start_session", "session_id", "s1", "kind", "person")
                .path("holder")
                .asString();
        return reviewer.call("claim_review", "review_id", id, "reviewer_id", holder);
    }

    private static String judge(JavaClient reviewer, String id, JsonNode claim) {
        return reviewer.call(
                        "submit_verdict",
                        Given.verdict(
                                id,
                                "approved",
                                "reviewer_id",
                                claim.path("claimed_by").asString(),
                                "claim_generation",
                                claim.path("claim_generation").asLong()))
                .path("status")
                .asString();
    }
}
