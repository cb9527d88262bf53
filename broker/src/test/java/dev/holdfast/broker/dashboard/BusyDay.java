package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.BrokerClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A backlog with something in every state, tasks that went well and badly, and reviews that wait for their proposers. */
record BusyDay(Calls calls, Proposing proposing) {
    /** It has gone quiet; {@link History} makes it so. */
    static final String QUIET = "claude-b07e12";

    /** It was started by another agent. */
    static final String CHILD = "claude-c4e8b3";

    private static final String LOCKING = """
            A refund reads what is left of a capture, then writes. Lock the row first: captures.lock(tx, id).

            Done when two refunds at once give back the amount once, and RefundsTest shows it.""";

    /** Calls a verb, which must go well. */
    interface Calls {
        BrokerClient.Reply done(String verb, Object... arguments);

        /** Mira says why nobody goes on with it. */
        default void block(String id, String reason) {
            done("update_work", "id", id, "holder", "mira", "status", "blocked", "reason", reason);
        }
    }

    /** Proposes a change; returns the review's id. */
    interface Proposing {
        String propose(
                String intent,
                String project,
                String category,
                String by,
                @Nullable String diff,
                @Nullable String description);
    }

    BusyDay work() {
        item("hf-s7k0", "Agree on the refund API", "task", "billing", 1);
        item("hf-1c7e", "Index captures by account", "task", "billing", 2);
        item("hf-aa07", "Say which tax rate was used", "bug", "shop", 2);
        close("hf-s7k0", "mira", "agreed in the meeting of Monday");
        close("hf-1c7e", "claude-3fa91c", "merged");
        close("hf-aa07", "codex-2be7c5", "merged");
        calls.done(
                "create_work",
                "id",
                "hf-7q2m",
                "title",
                "Lock captures before they are changed",
                "type",
                "task",
                "queue",
                "billing",
                "priority",
                0,
                "description",
                LOCKING,
                "labels",
                List.of("refunds", "money"),
                "depends_on",
                Set.of("hf-1c7e", "hf-s7k0"),
                "holder",
                "mira");
        item("hf-d9s1", "Document the refund API", "task", "docs", 2, "hf-s7k0");
        item("hf-9v3a", "Show refunds beside their capture", "task", "shop", 1, "hf-s7k0");
        item("hf-x80d", "Backfill refund keys for 2024", "task", "billing", 1, "hf-7q2m");
        item("hf-b3zp", "Refund in two currencies", "task", "billing", 1, "hf-x80d", "hf-9v3a");
        item("hf-c8l2", "Announce refunds v2", "task", "docs", 2, "hf-d9s1", "hf-b3zp");
        item("hf-2k1p", "Ship refunds v2", "epic", "billing", 1, "hf-c8l2");
        item("hf-e5r8", "Stop logging card numbers", "bug", "billing", 0);
        item("hf-k2m7", "Name the columns of the export", "task", "shop", 2);
        item("hf-0qd4", "Measure the importer per tenant", "task", "ingest", 2);
        item("hf-y6t1", "Use records for the price list", "chore", "shop", 3);
        item("hf-3k9x", "Parse ISO dates with offsets", "bug", "ingest", 2);
        item("hf-w0c5", "Retry uploads with backoff", "task", "ingest", 2);
        item("hf-m41c", "Move ingest to virtual threads", "task", "ingest", 3);
        claim("hf-3k9x", QUIET);
        claim("hf-7q2m", "claude-3fa91c", "src/main/java/shop/billing/**");
        claim("hf-d9s1", "claude-7d20fe", "docs/**");
        claim("hf-w0c5", CHILD);
        calls.block("hf-m41c", "SoakTest times out after 600 s, twice on a clean tree");
        calls.done(
                "reserve_paths",
                "holder",
                "claude-a61f09",
                "queue",
                "shop",
                "paths",
                List.of("src/main/java/shop/Rates.java", "src/test/**"));
        return this;
    }

    private void item(String id, String title, String type, String queue, int priority, String... after) {
        calls.done(
                "create_work",
                "id",
                id,
                "title",
                title,
                "type",
                type,
                "queue",
                queue,
                "priority",
                priority,
                "depends_on",
                Set.of(after),
                "holder",
                "mira");
    }

    private BrokerClient.Reply claim(String id, String holder, String... paths) {
        return paths.length == 0
                ? calls.done("claim_work", "id", id, "holder", holder)
                : calls.done("claim_work", "id", id, "holder", holder, "paths", List.of(paths));
    }

    private void close(String id, String holder, String reason) {
        long generation =
                claim(id, holder).body().path("claim").path("claim_generation").asLong();
        calls.done("close_work", "id", id, "holder", holder, "claim_generation", generation, "reason", reason);
    }

    BusyDay tasks() {
        String audit =
                task("nightly audit", List.of(step("export"), step("sum", "export"), step("compare", "sum", "export")));
        List.of("export", "sum", "compare").forEach(key -> complete(audit, key, "claude-7d20fe", Map.of()));
        String keys = task("rotate the signing keys", List.of(step("make"), step("publish", "make"), step("retire")));
        complete(keys, "make", "mira", Map.of());
        calls.done("cancel_task", "task_id", keys, "reason", "waits for the new hardware key");
        String upload = task(
                "import of tenant 219",
                List.of(
                        step("fetch"),
                        step("load-a", "fetch"),
                        step("load-b", "fetch"),
                        step("check", "load-a", "load-b")));
        complete(upload, "fetch", "claude-a61f09", Map.of("rows", 9_034));
        fail(upload, "load-a", "claude-a61f09", "the bucket answered 503", true);
        calls.done("claim_step", "step_id", upload + ".load-b", "holder", "claude-a61f09");
        String before = task("release 1.4.1", List.of(step("build"), step("test", "build"), step("publish", "test")));
        List.of("build", "test", "publish").forEach(key -> complete(before, key, "codex-91d4aa", Map.of()));
        String tenant = task("import of tenant 218", List.of(step("fetch"), step("load", "fetch")));
        complete(tenant, "fetch", "claude-a61f09", Map.of("rows", 48_112));
        fail(tenant, "load", "claude-a61f09", "row 31,877: the date 2024-02-30 does not exist", false);
        String release = task(
                "release 1.4.2",
                List.of(
                        step("plan"),
                        step("build", "plan"),
                        step("lint", "build"),
                        step("test-linux", "build"),
                        step("test-mac", "build"),
                        Map.of(
                                "key",
                                "test-windows",
                                "depends_on",
                                List.of("build"),
                                "input",
                                Map.of("commit", "9b1f44e", "image", "windows-2025", "shard", "1/1")),
                        step("sign", "lint"),
                        step("package", "test-linux", "test-mac", "test-windows"),
                        step("publish", "sign", "package"),
                        step("publish-brew", "package"),
                        step("docs"),
                        step("announce", "publish", "publish-brew", "docs")));
        complete(release, "plan", "claude-7d20fe", Map.of("version", "1.4.2"));
        complete(release, "docs", "claude-7d20fe", Map.of());
        complete(release, "build", "codex-91d4aa", Map.of("jar", "shop-1.4.2.jar"));
        complete(release, "lint", "claude-c4e8b3", Map.of());
        complete(release, "test-linux", "codex-91d4aa", Map.of("tests", 1_204));
        fail(release, "test-windows", "codex-2be7c5", "the runner went away after 18 min", true);
        complete(release, "test-mac", "codex-2be7c5", Map.of("tests", 1_204));
        calls.done("retry_task", "task_id", release);
        calls.done("claim_step", "step_id", release + ".sign", "holder", CHILD);
        calls.done("claim_step", "step_id", release + ".test-windows", "holder", "codex-91d4aa");
        return this;
    }

    private String task(String name, List<Map<String, Object>> steps) {
        return calls.done("create_task", "name", name, "steps", steps).text("task_id");
    }

    private static Map<String, Object> step(String key, String... after) {
        return Map.of("key", key, "depends_on", List.of(after));
    }

    private void complete(String task, String key, String holder, Map<String, Object> result) {
        String step = task + "." + key;
        long generation =
                calls.done("claim_step", "step_id", step, "holder", holder).generation();
        calls.done(
                "complete_step", "step_id", step, "holder", holder, "claim_generation", generation, "result", result);
    }

    private void fail(String task, String key, String holder, String error, boolean retry) {
        String step = task + "." + key;
        long generation =
                calls.done("claim_step", "step_id", step, "holder", holder).generation();
        calls.done(
                "fail_step",
                "step_id",
                step,
                "holder",
                holder,
                "claim_generation",
                generation,
                "error",
                error,
                "retry",
                retry);
    }

    BusyDay reviews() {
        String webhooks = proposing.propose(
                "Reject webhooks older than five minutes",
                "billing",
                "code_change",
                "codex-91d4aa",
                Diffs.small("src/main/java/shop/billing/WebhookDoor.java", 58, 7),
                null);
        judge(
                webhooks,
                "codex-2be7c5",
                "changes_requested",
                "A request without the header is answered with 500.",
                List.of(
                        finding("src/main/java/shop/billing/WebhookDoor.java", 12, "must_fix", "parse(null) throws."),
                        finding("src/main/java/shop/billing/WebhookDoor.java", 14, "should_fix", "Allow for skew.")));
        String keys = proposing.propose(
                "Explain idempotency keys to callers",
                "docs-site",
                "docs",
                "claude-7d20fe",
                Diffs.small("docs/idempotency.md", 64, 5),
                null);
        judge(keys, "codex-91d4aa", "approved", "Clear, and the example runs.", List.of());
        return this;
    }

    private static Map<String, Object> finding(String path, int line, String severity, String message) {
        return Map.of("path", path, "line", line, "severity", severity, "message", message);
    }

    private void judge(String review, String by, String verdict, String reason, List<Map<String, Object>> findings) {
        long generation = calls.done("claim_review", "review_id", review, "reviewer_id", by)
                .generation();
        calls.done("get_proposal", "review_id", review, "caller_id", by);
        calls.done(
                "submit_verdict",
                "review_id",
                review,
                "reviewer_id",
                by,
                "claim_generation",
                generation,
                "verdict",
                verdict,
                "reason",
                reason,
                "findings",
                findings);
    }
}
