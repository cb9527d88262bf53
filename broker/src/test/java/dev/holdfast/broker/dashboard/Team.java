package dev.holdfast.broker.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.Given;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A made-up team at work: what pages are looked at with. Everything is done through the verbs, as agents would. */
final class Team implements BusyDay.Calls {
    private static final String WHY = """
            Two refunds of one capture could together give back more than was captured, and a retried call gave back twice. \
            The capture is locked, what was given back is summed, and a key makes a refund happen once.""";

    private static final List<String> AGENTS =
            List.of("claude-3fa91c", "claude-7d20fe", "claude-a61f09", "codex-2be7c5", "codex-91d4aa");

    private static final List<String> DOCS = List.of(
            "Move the quick start to the new layout",
            "Explain refunds with an example",
            "Show how to rotate webhook secrets",
            "Link each error to its page",
            "Say which headers a webhook sends",
            "List the currencies that can be refunded",
            "Draw how a capture is settled",
            "Describe the sandbox cards",
            "Move the glossary to the new layout",
            "Tell apart a void and a refund",
            "Add the limits of the import API",
            "Correct the example of a partial refund");

    private final BrokerClient caller;
    private final Map<String, String> reviews = new HashMap<>();

    Team(BrokerClient caller) {
        this.caller = caller;
    }

    /** The id of the review of this change. */
    String review(String intent) {
        return Objects.requireNonNull(reviews.get(intent), intent);
    }

    /** Everything at once. */
    Team atWork() {
        sessions(AGENTS);
        proposals();
        work();
        task();
        return this;
    }

    /** The same team on a busy day, for pictures. */
    Team onABusyDay() {
        sessions(AGENTS);
        sessions(List.of(BusyDay.QUIET, BusyDay.CHILD));
        proposals();
        thirdRound();
        new BusyDay(this, this::propose).work().tasks().reviews();
        return this;
    }

    /** The reviewer is content with the lock, and finds one more thing. */
    private void thirdRound() {
        String refund = review("Refund at most what is left of a capture");
        BrokerClient.Reply claimed = done("claim_review", "review_id", refund, "reviewer_id", "codex-2be7c5");
        done("get_proposal", "review_id", refund, "caller_id", "codex-2be7c5");
        done(
                "submit_verdict",
                "review_id",
                refund,
                "reviewer_id",
                "codex-2be7c5",
                "claim_generation",
                claimed.generation(),
                "verdict",
                "changes_requested",
                "reason",
                "The lock is right. The key and the index are as before.",
                "resolved",
                List.of("f3"),
                "findings",
                List.of(Map.of(
                        "path",
                        "src/test/java/shop/billing/RefundsTest.java",
                        "line",
                        36,
                        "severity",
                        "should_fix",
                        "message",
                        "Test that a used key with another amount is refused.")));
        revise(refund, "Refund at most what is left of a capture", "billing", Diffs.REFUND_3);
    }

    private void sessions(List<String> agents) {
        for (String agent : agents) {
            done(
                    "start_session",
                    "session_id",
                    agent,
                    "kind",
                    agent.substring(0, agent.indexOf('-')),
                    "project",
                    "shop");
        }
    }

    private void proposals() {
        refund("billing");
        propose(
                "Use records for the price list",
                "shop",
                "code_change",
                "codex-2be7c5",
                Diffs.small("src/main/java/shop/Prices.java", 12, 31),
                null);
        propose(
                "Turn the nightly audit into a task",
                "ingest",
                "code_change",
                "claude-a61f09",
                Diffs.small("src/main/java/ingest/Audit.java", 40, 22),
                null);
        propose(
                "Stop logging card numbers in the gateway trace",
                "billing",
                "code_change",
                "claude-7d20fe",
                Diffs.small("src/main/java/shop/gateway/Trace.java", 6, 14),
                "Found by the log scan of last night.");
        propose(
                "Plan: split the importer by tenant",
                "ingest",
                "plan_review",
                "claude-7d20fe",
                null,
                "Three steps: queue per tenant, importer per queue, then the old one goes.");
        String cached = propose(
                "Cache the exchange rates per day",
                "shop",
                "code_change",
                "claude-a61f09",
                Diffs.small("src/main/java/shop/Rates.java", 20, 4),
                null);
        done("claim_review", "review_id", cached, "reviewer_id", "codex-91d4aa");
        String named = propose(
                "Name the columns of the export",
                "shop",
                "code_change",
                "claude-a61f09",
                Diffs.small("src/main/java/shop/Export.java", 9, 9),
                null);
        approve(named, "codex-2be7c5");
        String retry = propose(
                "Retry uploads with backoff",
                "ingest",
                "code_change",
                "codex-2be7c5",
                Diffs.small("src/main/java/ingest/Upload.java", 30, 12),
                null);
        approve(retry, "claude-7d20fe");
        done("close_review", "review_id", retry, "closer_role", "proposer");
        for (int i = 1; i <= DOCS.size(); i++) {
            propose(
                    DOCS.get(i - 1),
                    "docs-site",
                    "docs",
                    "claude-7d20fe",
                    Diffs.small("docs/guide/page-" + i + ".md", 3 + i, i),
                    null);
        }
    }

    /** A change in its second round, with what was found in the first; returns its id. */
    String refund(String project) {
        String refund = propose(
                "Refund at most what is left of a capture",
                project,
                "code_change",
                "claude-3fa91c",
                Diffs.REFUND_1,
                WHY);
        judge(
                refund,
                "codex-2be7c5",
                "changes_requested",
                "reason",
                "The amount must be part of what the key stands for, and the index cannot be made in a transaction.",
                "findings",
                List.of(
                        Map.of(
                                "path",
                                "src/main/java/shop/billing/Refunds.java",
                                "line",
                                44,
                                "severity",
                                "must_fix",
                                "message",
                                "A used key with another amount answers in silence with the first refund."),
                        Map.of(
                                "path",
                                "src/main/resources/db/migration/V31__refund_key.sql",
                                "line",
                                5,
                                "severity",
                                "must_fix",
                                "message",
                                "CREATE INDEX CONCURRENTLY cannot run in a transaction, and the migration runs in one.",
                                "suggestion",
                                "Move it to V32 with executeInTransaction=false."),
                        Map.of(
                                "path",
                                "src/main/java/shop/billing/Refunds.java",
                                "line",
                                47,
                                "severity",
                                "should_fix",
                                "message",
                                "Two refunds at once both see the full amount; lock the capture first.")));
        revise(refund, "Refund at most what is left of a capture", project, Diffs.REFUND_2);
        return refund;
    }

    private void work() {
        for (String[] item : new String[][] {
            {"hf-2k1p", "Ship refunds v2", "epic"},
            {"hf-7q2m", "Lock captures before they are changed", "task"},
            {"hf-3k9x", "Parse ISO dates with offsets", "bug"},
            {"hf-d9s1", "Document the refund API", "task"},
            {"hf-m41c", "Move ingest to virtual threads", "task"},
            {"hf-x80d", "Backfill refund keys for 2024", "task"}
        }) {
            done("create_work", "id", item[0], "title", item[1], "type", item[2], "queue", "shop");
        }
        done("add_dependency", "id", "hf-x80d", "depends_on", "hf-7q2m");
        done("add_dependency", "id", "hf-2k1p", "depends_on", "hf-x80d");
        done(
                "claim_work",
                "id",
                "hf-7q2m",
                "holder",
                "claude-3fa91c",
                "paths",
                List.of("src/main/java/shop/billing/**"));
        done("claim_work", "id", "hf-d9s1", "holder", "claude-7d20fe", "paths", List.of("docs/**"));
        done("claim_work", "id", "hf-3k9x", "holder", "claude-a61f09", "ttl_seconds", 400);
        block("hf-m41c", "SoakTest times out after 600 s, twice on a clean tree");
    }

    private void task() {
        done(
                "create_task",
                "name",
                "release 1.4.2",
                "steps",
                List.of(
                        Map.of("key", "build"),
                        Map.of("key", "test-linux", "depends_on", List.of("build")),
                        Map.of("key", "test-windows", "depends_on", List.of("build")),
                        Map.of("key", "publish", "depends_on", List.of("test-linux", "test-windows"))));
        BrokerClient.Reply build = done("claim_next_step", "holder", "codex-91d4aa");
        done(
                "complete_step",
                "step_id",
                build.body().path("step").path("step_id").asString(),
                "holder",
                "codex-91d4aa",
                "claim_generation",
                build.generation(),
                "result",
                Map.of("jar", "shop-1.4.2.jar"));
        done("claim_next_step", "holder", "codex-91d4aa");
    }

    void approve(String review, String reviewer) {
        judge(review, reviewer, "approved");
    }

    /** Claims it, reads it and gives a verdict. */
    void judge(String review, String reviewer, String verdict, Object... more) {
        BrokerClient.Reply claimed = done("claim_review", "review_id", review, "reviewer_id", reviewer);
        done("get_proposal", "review_id", review, "caller_id", reviewer);
        done(
                "submit_verdict",
                Given.verdict(
                        review,
                        verdict,
                        Given.with(more, "reviewer_id", reviewer, "claim_generation", claimed.generation())));
    }

    String propose(
            String intent,
            String project,
            String category,
            String by,
            @Nullable String diff,
            @Nullable String description) {
        Map<String, Object> given = new HashMap<>(Map.of(
                "intent",
                intent,
                "agent_type",
                by,
                "project",
                project,
                "category",
                category,
                "holder",
                by,
                "skip_diff_validation",
                true));
        if (diff != null) {
            given.put("diff", diff);
        }
        if (description != null) {
            given.put("description", description);
        }
        String id = done("create_review", given).text("review_id");
        reviews.put(intent, id);
        return id;
    }

    /** A change of a commit that is told. */
    String propose(String intent, String project, String diff, String base) {
        return done(
                        "create_review",
                        "intent",
                        intent,
                        "agent_type",
                        "claude-3fa91c",
                        "project",
                        project,
                        "diff",
                        diff,
                        "base",
                        base)
                .text("review_id");
    }

    void revise(String id, String intent, String project, String diff) {
        done(
                "create_review",
                "review_id",
                id,
                "intent",
                intent,
                "agent_type",
                "claude-3fa91c",
                "project",
                project,
                "holder",
                "claude-3fa91c",
                "diff",
                diff,
                "description",
                WHY,
                "skip_diff_validation",
                true);
    }

    private BrokerClient.Reply done(String verb, Map<String, Object> arguments) {
        Object[] flat = arguments.entrySet().stream()
                .flatMap(entry -> java.util.stream.Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
        return done(verb, flat);
    }

    @Override
    public BrokerClient.Reply done(String verb, Object... arguments) {
        BrokerClient.Reply reply = caller.call(verb, arguments);
        assertThat(reply.status()).as(verb + " answered " + reply.body()).isEqualTo(200);
        return reply;
    }
}
