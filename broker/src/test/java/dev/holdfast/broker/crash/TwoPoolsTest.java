package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.crash.BrokerProcess.Answer;
import dev.holdfast.broker.pool.ScriptedReviewer;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two brokers, each with a pool of two, on one PostgreSQL: they share what is to be done, and nothing else. The reviewers
 * claim one review each and hold it.
 */
class TwoPoolsTest {
    private static final int CAP = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String database = TestPostgres.freshDatabase();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path config;

    /** What a reviewer has in its hands, as a thief would see it. */
    private record Hand(String id, String token, String review, long generation) {}

    /** The broker's lease is a real one: processes share no clock with the test. */
    @BeforeEach
    void configure() throws IOException {
        config = Files.writeString(
                folder.resolve("pool.json"),
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "store",
                                Map.of("data", folder.resolve("data").toString()),
                                "leases",
                                Map.of("broker_seconds", 10),
                                "reviews",
                                Map.of("workspace", folder.toString()),
                                "reviewer_pool",
                                ScriptedReviewer.sleepers(folder, "max_pool_size", CAP))));
    }

    private BrokerProcess start() throws IOException {
        return BrokerProcess.Start.onPostgres(database)
                .with("HOLDFAST_CONFIG", config.toString())
                .now();
    }

    @Test
    void a_second_broker_leaves_the_reviewers_of_the_first_alone_and_adds_its_own_up_to_its_own_cap() throws Exception {
        try (BrokerProcess first = start()) {
            create(first, 9);
            List<Hand> before = hands(first);
            try (BrokerProcess second = start()) {
                List<Hand> added = hands(second);
                assertThat(added).noneMatch(hand -> before.stream().anyMatch(hand::equals));
                assertThat(session(second)).isNotEqualTo(session(first));
                assertThat(reviewers(second))
                        .as("of both brokers, all of them there, four names and no more")
                        .hasSize(2 * CAP)
                        .allMatch(TwoPoolsTest::lives)
                        .extracting(reviewer -> reviewer.path("id").asString())
                        .doesNotHaveDuplicates();
                assertThat(reviewers(second))
                        .extracting(reviewer -> reviewer.path("display_name").asString())
                        .containsOnly("command-r1", "command-r2");
                assertHeld(second, before);
                assertHeld(first, added);

                JsonNode log = second.call(
                                "get_reviewer_log",
                                Map.of("reviewer_id", before.getFirst().id()))
                        .body();
                assertThat(log.path("records").size())
                        .as("they share a data folder")
                        .isPositive();
                assertThat(log.path("ended").asBoolean()).isFalse();

                killsThroughTheOther(first, second, before.getFirst());
                second.stop();
            }
            first.stop();
        }
    }

    /** And its own broker starts another in its place: five reviews are pending, which is more than there are reviewers. */
    private void killsThroughTheOther(BrokerProcess its, BrokerProcess other, Hand victim) throws Exception {
        other.call("kill_reviewer", Map.of("reviewer_id", victim.id(), "force", true));
        await().atMost(PATIENCE)
                .until(() -> own(its).stream()
                        .noneMatch(one -> one.path("id").asString().equals(victim.id()) && lives(one)));
        await().atMost(PATIENCE)
                .until(() -> status(other, victim.review())
                                .body()
                                .path("claim_generation")
                                .asLong()
                        > victim.generation());
        assertThat(its.callAs(victim.token(), "heartbeat", Map.of()).status()).isEqualTo(401);
    }

    @Test
    void a_token_is_good_at_either_broker_and_for_its_own_reviewer_only() throws Exception {
        try (BrokerProcess first = start()) {
            create(first, 9);
            Hand ours = hands(first).getFirst();
            try (BrokerProcess second = start()) {
                Hand theirs = hands(second).getFirst();
                assertThat(second.callAs(ours.token(), "heartbeat", Map.of()).status())
                        .isEqualTo(200);
                assertThat(second.callAs(ours.token(), "submit_verdict", approvalAs(theirs.id(), theirs))
                                .text("error"))
                        .isEqualTo("this is the token of " + ours.id() + ", which can only act as itself");
                assertThat(second.callAs(ours.token(), "submit_verdict", approval(theirs))
                                .text("code"))
                        .isEqualTo("wrong_holder");
                assertThat(second.call("heartbeat", Map.of("holder", ours.id())).status())
                        .isEqualTo(401);
                assertHeld(first, List.of(ours, theirs));
                assertThat(second.callAs(ours.token(), "submit_verdict", approval(ours))
                                .status())
                        .isEqualTo(200);
                assertThat(status(first, ours.review()).text("status")).isEqualTo("approved");
            }
        }
    }

    @Test
    void when_one_broker_is_killed_the_other_buries_its_reviewers_and_keeps_its_own() throws Exception {
        try (BrokerProcess first = start()) {
            create(first, 9);
            List<Hand> orphaned = hands(first);
            try (BrokerProcess second = start()) {
                List<Hand> kept = hands(second);
                List<JsonNode> processes = own(first);
                List<JsonNode> staying = own(second);
                first.kill();
                long killed = System.nanoTime();
                await().atMost(PATIENCE)
                        .until(() -> processes.stream().noneMatch(TwoPoolsTest::lives) && allFreed(second, orphaned));
                System.out.printf("freed and ended after %d ms%n", (System.nanoTime() - killed) / 1_000_000);
                assertThat(staying).allMatch(TwoPoolsTest::lives);
                assertHeld(second, kept);
                assertThat(own(second))
                        .as("what the dead one did does not make the other's pool larger")
                        .hasSize(CAP);
                for (Hand hand : orphaned) {
                    assertThat(second.callAs(hand.token(), "heartbeat", Map.of())
                                    .status())
                            .isEqualTo(401);
                }
                try (BrokerProcess again = start()) {
                    hands(again);
                    assertThat(staying).allMatch(TwoPoolsTest::lives);
                    assertHeld(again, kept);
                    again.stop();
                }
                second.stop();
            }
        }
    }

    private static void create(BrokerProcess broker, int number) throws IOException, InterruptedException {
        for (int i = 0; i < number; i++) {
            assertThat(broker.call(
                                    "create_review",
                                    Map.of("intent", "x", "agent_type", "a", "agent_role", "proposer", "phase", "1"))
                            .status())
                    .isEqualTo(200);
        }
    }

    /** As soon as the broker's pool is full, and each of its reviewers has a review. */
    private List<Hand> hands(BrokerProcess broker) throws IOException, InterruptedException {
        await().atMost(PATIENCE)
                .until(() -> own(broker).size() == CAP && own(broker).stream().allMatch(this::hasAHand));
        return own(broker).stream().map(this::hand).toList();
    }

    private Path copy(JsonNode reviewer) {
        return folder.resolve("copy-of-" + reviewer.path("id").asString());
    }

    private static Map<String, Object> approval(Hand hand) {
        return Map.of("review_id", hand.review(), "verdict", "approved", "claim_generation", hand.generation());
    }

    private static Map<String, Object> approvalAs(String reviewer, Hand hand) {
        Map<String, Object> approval = new HashMap<>(approval(hand));
        approval.put("reviewer_id", reviewer);
        return approval;
    }

    private boolean hasAHand(JsonNode reviewer) {
        try {
            return Files.exists(copy(reviewer))
                    && Files.readAllLines(copy(reviewer)).size() == 3;
        } catch (IOException _) {
            return false;
        }
    }

    private Hand hand(JsonNode reviewer) {
        try {
            List<String> lines = Files.readAllLines(copy(reviewer));
            return new Hand(reviewer.path("id").asString(), lines.get(0), lines.get(1), Long.parseLong(lines.get(2)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void assertHeld(BrokerProcess asked, List<Hand> hands) throws IOException, InterruptedException {
        for (Hand hand : hands) {
            Answer status = status(asked, hand.review());
            assertThat(status.text("claimed_by")).isEqualTo(hand.id());
            assertThat(status.generation()).isEqualTo(hand.generation());
        }
    }

    private static boolean allFreed(BrokerProcess asked, List<Hand> hands) throws IOException, InterruptedException {
        for (Hand hand : hands) {
            if (status(asked, hand.review()).generation() <= hand.generation()) {
                return false;
            }
        }
        return true;
    }

    private static Answer status(BrokerProcess asked, String review) throws IOException, InterruptedException {
        return asked.call("get_review_status", Map.of("review_id", review));
    }

    private static String session(BrokerProcess broker) throws IOException, InterruptedException {
        return broker.call("list_reviewers", Map.of()).text("session_token");
    }

    /** All that live, whosever they are. */
    private static List<JsonNode> reviewers(BrokerProcess broker) throws IOException, InterruptedException {
        return StreamSupport.stream(
                        broker.call("list_reviewers", Map.of())
                                .body()
                                .path("reviewers")
                                .spliterator(),
                        false)
                .filter(reviewer -> reviewer.path("terminated_at").isMissingNode())
                .collect(Collectors.toList());
    }

    private static List<JsonNode> own(BrokerProcess broker) throws IOException, InterruptedException {
        String session = session(broker);
        return reviewers(broker).stream()
                .filter(reviewer -> reviewer.path("id").asString().endsWith("-" + session))
                .toList();
    }

    private static boolean lives(JsonNode reviewer) {
        return ProcessHandle.of(reviewer.path("pid").asLong())
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }
}
