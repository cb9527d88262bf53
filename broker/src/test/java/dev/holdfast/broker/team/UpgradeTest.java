package dev.holdfast.broker.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The previous release and this one side by side, as in a rolling upgrade. {@code HOLDFAST_PREVIOUS} names the folder
 * with the previous one's launcher: a checkout of the commit before the newest migration, or the bin folder of an
 * installed copy.
 */
@Tag("heavy")
class UpgradeTest {
    private static final Pattern READY = Pattern.compile("holdfast is ready on (\\S+) .*");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    @Test
    void the_previous_release_goes_on_beside_this_one_on_the_new_schema() throws Exception {
        String previous = System.getenv("HOLDFAST_PREVIOUS");
        Assumptions.assumeTrue(
                previous != null, "HOLDFAST_PREVIOUS names no folder of the previous release with its launcher");
        String database = TestPostgres.emptyDatabase();
        Process old = start(Path.of(previous), database);
        try (BrokerClient before = new BrokerClient(address(old))) {
            long generation = before.call("claim", "resource", "key:kept", "holder", "ann", "ttl_seconds", 600)
                    .generation();
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger calls = new AtomicInteger();
            Queue<String> failed = new ConcurrentLinkedQueue<>();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                    AutoCloseable _ = () -> over.set(true)) { // whatever fails, they stop
                for (int i = 0; i < 8; i++) {
                    String key = "key:" + i;
                    var _ = callers.submit(() -> goRound(before, key, over, calls, failed));
                }
                await().atMost(PATIENCE).until(() -> calls.get() > 200);
                try (Broker broker = Broker.start(
                                Config.in(folder.resolve("new"), new Settings().put(Setting.DATABASE, database)));
                        BrokerClient after = new BrokerClient(broker)) {
                    int atMigration = calls.get();
                    await().atMost(PATIENCE).until(() -> calls.get() > atMigration + 500);
                    over.set(true);
                    callers.close();
                    assertThat(failed).isEmpty();
                    assertThat(after.call(
                                            "heartbeat",
                                            "resource",
                                            "key:kept",
                                            "holder",
                                            "ann",
                                            "claim_generation",
                                            generation)
                                    .status())
                            .isEqualTo(200);
                    oneProposesAtThatTheOtherJudges(before, after, "old to new");
                    oneProposesAtThatTheOtherJudges(after, before, "new to old");
                    oneWorksOnWhatTheOtherPlans(before, after);
                    oneWorksOnWhatTheOtherPlans(after, before);
                    wakes(before, after);
                    wakes(after, before);
                }
            }
            assertThat(before.call("who").status())
                    .as("when the new one is gone")
                    .isEqualTo(200);
        } finally {
            old.destroy();
            old.waitFor();
        }
    }

    private Process start(Path previous, String database) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        previous.resolve("holdfast").toString(), "serve", "--port", "0", "--database", database)
                .directory(folder.toFile())
                .redirectError(folder.resolve("previous.log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") && !name.endsWith("JAVA_HOME"));
        builder.environment().put("HOLDFAST_DATA", folder.resolve("old").toString());
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        return builder.start();
    }

    private String address(Process process) throws IOException {
        String line = process.inputReader().readLine();
        Matcher ready = READY.matcher(line == null ? "" : line);
        assertThat(ready.matches())
                .as(line + Files.readString(folder.resolve("previous.log")))
                .isTrue();
        return ready.group(1);
    }

    private static Void goRound(
            BrokerClient caller, String key, AtomicBoolean over, AtomicInteger calls, Queue<String> failed)
            throws InterruptedException {
        while (!over.get()) {
            Reply claim = caller.call("claim", "resource", key, "holder", "ann");
            Reply release =
                    caller.call("release", "resource", key, "holder", "ann", "claim_generation", claim.generation());
            if (claim.status() != 200 || release.status() != 200) {
                failed.add(claim.body() + " " + release.body());
            }
            calls.incrementAndGet();
            TimeUnit.MILLISECONDS.sleep(2); // leaves the brokers that start some processor time
        }
        return null;
    }

    private static void oneProposesAtThatTheOtherJudges(BrokerClient one, BrokerClient other, String intent) {
        String review = one.call(
                        "create_review",
                        Given.proposal("intent", intent, "project", "shop", "diff", Given.DIFF.replace("two", intent)))
                .text("review_id");
        long generation = other.call("claim_review", "review_id", review, "reviewer_id", "rita")
                .generation();
        assertThat(other.call("get_proposal", "review_id", review, "caller_id", "rita")
                        .status())
                .isEqualTo(200);
        Reply verdict = other.call(
                "submit_verdict",
                Given.verdict(review, "approved", "reviewer_id", "rita", "claim_generation", generation));
        assertThat(verdict.status()).as(verdict.body().toString()).isEqualTo(200);
        assertThat(one.call("get_review_status", "review_id", review).text("status"))
                .isEqualTo("approved");
    }

    private static void oneWorksOnWhatTheOtherPlans(BrokerClient one, BrokerClient other) {
        String item = one.call("create_work", "title", "something")
                .body()
                .at("/item/id")
                .asString();
        long claim = other.call("claim_work", "id", item, "holder", "bob")
                .body()
                .at("/claim/claim_generation")
                .asLong();
        assertThat(one.call("close_work", "id", item, "holder", "bob", "claim_generation", claim)
                        .status())
                .isEqualTo(200);
        String task = one.call(
                        "create_task", "name", "t", "finalizer", "external", "steps", List.of(Map.of("key", "only")))
                .text("task_id");
        long step = other.call("claim_step", "step_id", task + ".only", "holder", "bob")
                .generation();
        assertThat(one.call("complete_step", "step_id", task + ".only", "holder", "bob", "claim_generation", step)
                        .status())
                .isEqualTo(200);
        Reply end = other.call("claim_finalization", "task_id", task, "processor_id", "p");
        assertThat(one.call("finish_task", "task_id", task, "processor_id", "p", "claim_generation", end.generation())
                        .status())
                .isEqualTo(200);
    }

    private static void wakes(BrokerClient one, BrokerClient other) throws Exception {
        long generation =
                one.call("claim", "resource", "key:wake", "holder", "ann").generation();
        Future<Reply> waiting = other.start("claim", "resource", "key:wake", "holder", "bob", "wait_seconds", 30);
        await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());
        one.call("release", "resource", "key:wake", "holder", "ann", "claim_generation", generation);
        Reply granted = waiting.get();
        assertThat(granted.status()).isEqualTo(200);
        other.call("release", "resource", "key:wake", "holder", "bob", "claim_generation", granted.generation());
    }
}
