package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tasks over HTTP: what each verb tells, and what a broker does by itself. */
abstract class TasksContract extends OnBroker {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    protected Settings settings() {
        return new Settings()
                .put(Setting.WEBHOOK_HOSTS, "127.0.0.1")
                .put(Setting.WEBHOOK_SECRET, "swordfish")
                .put(Setting.FOLLOW_UP_ATTEMPTS, 2L);
    }

    private static Map<String, Object> step(String key, String... dependsOn) {
        return Map.of("key", key, "depends_on", List.of(dependsOn), "input", Map.of("do", key));
    }

    private Reply ok(String verb, Object... arguments) {
        Reply reply = caller.call(verb, arguments);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply;
    }

    private String create(String finalizer, Object... more) {
        Object[] arguments = new Object[more.length + 6];
        System.arraycopy(
                new Object[] {"name", "job", "finalizer", finalizer, "steps", List.of(step("a"), step("b", "a"))},
                0,
                arguments,
                0,
                6);
        System.arraycopy(more, 0, arguments, 6, more.length);
        return ok("create_task", arguments).text("task_id");
    }

    private void complete(Object result) {
        Reply taken = ok("claim_next_step", "holder", "ann");
        ok(
                "complete_step",
                "step_id",
                taken.body().at("/step/step_id").asString(),
                "holder",
                "ann",
                "claim_generation",
                taken.generation(),
                "result",
                result);
    }

    private JsonNode task(String id) {
        return ok("get_task", "task_id", id, "results", true).body();
    }

    private void awaitState(String id, String state) {
        await().atMost(LIMIT).until(() -> task(id).path("state").asString().equals(state));
    }

    @Test
    void results_that_are_too_much_for_one_answer_are_left_out_and_named_and_read_in_pages() {
        List<String> parts =
                IntStream.range(0, 10).mapToObj(part -> "part-" + part).toList();
        List<Map<String, Object>> steps =
                new ArrayList<>(parts.stream().map(part -> step(part)).toList());
        steps.add(step("sum", parts.toArray(String[]::new)));
        String id = ok("create_task", "name", "large", "steps", steps).text("task_id");
        parts.forEach(_ -> complete("x".repeat(999_000)));

        JsonNode sum = ok("claim_next_step", "holder", "ann").body().get("step");
        assertThat(sum.get("key").asString()).isEqualTo("sum");
        assertThat(sum.get("results").propertyNames()).containsExactlyElementsOf(parts.subList(0, 8));
        assertThat(sum.get("results_left_out"))
                .extracting(JsonNode::asString)
                .containsExactlyElementsOf(parts.subList(8, 10));

        JsonNode first = task(id);
        JsonNode rest = ok(
                        "get_task",
                        "task_id",
                        id,
                        "results",
                        true,
                        "cursor",
                        first.get("next_cursor").asString())
                .body();
        assertThat(rest.get("next_cursor")).isNull();
        List<JsonNode> both = new ArrayList<>();
        first.get("steps").forEach(both::add);
        assertThat(both).hasSizeLessThan(11);
        rest.get("steps").forEach(both::add);
        assertThat(both)
                .extracting(step -> step.get("key").asString())
                .containsExactlyElementsOf(
                        Stream.concat(parts.stream(), Stream.of("sum")).toList());
        assertThat(both.subList(0, 10))
                .allSatisfy(step -> assertThat(step.get("result").asString()).hasSize(999_000));
    }

    @Test
    void several_steps_that_nobody_has_claimed_are_counted_and_one_is_named() {
        String id = ok("create_task", "name", "two", "namespace", "ci", "steps", List.of(step("a"), step("b")))
                .text("task_id");

        assertThat(task(id).path("why").toString())
                .contains("2 steps are ready in namespace ci, a among them; nobody has claimed them.");
    }

    @Test
    void the_audit_log_says_who_created_a_task() {
        String id = create("broker", "holder", "ann");

        JsonNode event =
                ok("get_events", "resource", "finalization:" + id).body().at("/events/0");
        assertThat(event.path("type").asString()).isEqualTo("task_created");
        assertThat(event.path("actor").asString()).isEqualTo("ann");
    }

    @Test
    void the_broker_ends_a_task_by_itself_when_the_last_step_is_done() {
        String id = create("broker");
        assertThat(task(id).path("why").toString())
                .contains("Step a is ready; nobody has claimed it.", "b waits for a.");
        Reply first = ok("claim_next_step", "holder", "ann");
        assertThat(first.body().at("/step/input/do").asString()).isEqualTo("a");
        assertThat(task(id).path("why").toString()).contains("a has been claimed by ann");
        Reply done = ok(
                "complete_step",
                "step_id",
                id + ".a",
                "holder",
                "ann",
                "claim_generation",
                first.generation(),
                "result",
                List.of(1, 2),
                "next",
                true);
        assertThat(done.body().at("/next/step/results/a/1").asInt()).isEqualTo(2);
        ok(
                "complete_step",
                "step_id",
                id + ".b",
                "holder",
                "ann",
                "claim_generation",
                done.body().at("/next/claim_generation").asLong());
        awaitState(id, "complete");
        JsonNode ended = task(id);
        assertThat(ended.at("/steps/1/depends_on/0").asString()).isEqualTo("a");
        assertThat(ended.at("/steps/0/result").toString()).isEqualTo("[1,2]");
        JsonNode attempts =
                ok("get_finalization_attempts", "task_id", id).body().path("attempts");
        assertThat(attempts.findValuesAsString("outcome")).contains("granted", "finished");
        assertThat(ok("list_tasks", "state", "complete").body().path("tasks")).hasSize(1);
        await().atMost(LIMIT)
                .until(() -> caller.get("/metrics").raw().body().contains("finalization_claim_success_total 1.0"));
        assertThat(caller.get("/metrics").raw().body())
                .contains("finalization_claim_contention_total 0.0")
                .contains("finalization_claim_contention_by_reason_total{reason=\"race_condition\"} 0.0")
                .contains("finalization_claim_duration_seconds_bucket")
                .contains("finalization_claim_release_not_owned_total")
                .contains("finalization_claim_release_duration_seconds_count")
                .contains("finalization_claim_extend_duration_seconds_count")
                .contains("finalization_claim_extend_failed_total");
    }

    @Test
    void a_claim_that_is_repeated_counts_as_an_extension() {
        String id = create("external");
        complete("x");
        ok("claim_finalization", "task_id", id, "processor_id", "p");
        assertThat(ok("claim_finalization", "task_id", id, "processor_id", "p").text("message"))
                .isEqualTo("Claim extended");

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(caller.get("/metrics").raw().body())
                        .contains("finalization_claim_attempts_total 2.0")
                        .contains("finalization_claim_success_total 2.0")
                        .contains("finalization_claim_extend_attempts_total 1.0")
                        .contains("finalization_claim_extend_success_total 1.0")
                        .contains("finalization_claim_extend_duration_seconds_count 1"));
    }

    @Test
    void what_a_processor_did_can_be_asked_by_time_and_page_by_page() {
        String first = create("external");
        String second = create("external");
        complete("x");
        complete("y");
        for (String id : List.of(first, second, first, second)) {
            ok("claim_finalization", "task_id", id, "processor_id", "p");
            ok("claim_finalization", "task_id", id, "processor_id", "q");
        }
        JsonNode all =
                ok("get_finalization_attempts", "processor_id", "p").body().path("attempts");
        assertThat(all.findValuesAsString("task_id")).containsExactly(first, second, first, second);
        assertThat(all.findValuesAsString("processor_id")).containsOnly("p");

        Reply page = ok("get_finalization_attempts", "processor_id", "p", "limit", 3);
        assertThat(page.body().path("attempts")).hasSize(3);
        Reply rest =
                ok("get_finalization_attempts", "processor_id", "p", "limit", 3, "cursor", page.text("next_cursor"));
        assertThat(rest.body().path("attempts")).hasSize(1);
        assertThat(rest.body().has("next_cursor")).isFalse();

        String third = all.path(2).path("attempted_at").asString();
        assertThat(ok("get_finalization_attempts", "processor_id", "p", "since", third)
                        .body()
                        .path("attempts"))
                .hasSizeBetween(2, 4); // times are told by the millisecond
        assertThat(ok("get_finalization_attempts", "processor_id", "p", "until", "2020-01-01T00:00:00Z")
                        .body()
                        .path("attempts"))
                .isEmpty();
        assertThat(caller.call("get_finalization_attempts").text("error"))
                .isEqualTo("give either task_id or processor_id");
        assertThat(caller.call("get_finalization_attempts", "processor_id", "p", "cursor", "7")
                        .text("code"))
                .isEqualTo("invalid");
        assertThat(caller.call("get_finalization_attempts", "processor_id", "p", "since", "yesterday")
                        .text("code"))
                .isEqualTo("invalid");
    }

    @Test
    void an_external_processor_claims_extends_and_finishes() {
        String id = create("external");
        assertThat(ok("claim_finalization", "task_id", id, "processor_id", "p").text("code"))
                .isEqualTo("not_claimable");
        complete("x");
        complete("y");
        assertThat(task(id).path("why").toString()).contains("claim_finalization");
        Reply claimed = ok("claim_finalization", "task_id", id, "processor_id", "p");
        assertThat(claimed.text("message")).isEqualTo("Successfully claimed for finalization");
        assertThat(ok("claim_finalization", "task_id", id, "processor_id", "q").text("code"))
                .isEqualTo("held");
        assertThat(ok("extend_finalization", "task_id", id, "processor_id", "p", "claim_generation", 1)
                        .body()
                        .path("extended")
                        .asBoolean())
                .isTrue();
        assertThat(ok("finish_task", "task_id", id, "processor_id", "p", "claim_generation", 1, "handled_seq", 1)
                        .body()
                        .path("reevaluate")
                        .asBoolean())
                .isTrue();
        assertThat(ok("release_finalization", "task_id", id, "processor_id", "q", "claim_generation", 1)
                        .text("code"))
                .isEqualTo("lost");
        assertThat(ok("finish_task", "task_id", id, "processor_id", "p", "claim_generation", 1)
                        .body()
                        .path("finished")
                        .asBoolean())
                .isTrue();
        assertThat(task(id).path("state").asString()).isEqualTo("complete");
    }

    @Test
    void what_failed_is_told_and_a_cancelled_task_is_settled() {
        String id = create("broker");
        Reply taken = ok("claim_step", "step_id", id + ".a", "holder", "ann");
        Reply failed = ok(
                "fail_step",
                "step_id",
                id + ".a",
                "holder",
                "ann",
                "claim_generation",
                taken.generation(),
                "error",
                "no");
        assertThat(failed.text("state")).isEqualTo("retry_wait");
        assertThat(task(id).path("why").toString()).contains("will be retried at");
        assertThat(caller.call("complete_step", "step_id", id + ".a", "holder", "bob", "claim_generation", 1)
                        .status())
                .isEqualTo(412);
        ok("cancel_task", "task_id", id, "reason", "enough");
        await().atMost(LIMIT).until(() -> task(id).at("/counts/cancelled").asLong() == 2);
        assertThat(caller.call("add_steps", "task_id", id, "steps", List.of(step("c")))
                        .status())
                .isEqualTo(409);
        assertThat(caller.call("get_task", "task_id", "nobody").status()).isEqualTo(404);
        assertThat(caller.call("create_task", "name", "x", "steps", List.of()).status())
                .isEqualTo(400);
    }

    @Test
    void a_work_item_is_closed_and_another_step_follows_when_a_task_is_complete() {
        String item =
                ok("create_work", "title", "release").body().at("/item/id").asString();
        create("broker", "on_finish", Map.of("close_work", Map.of("id", item)));
        complete("x");
        complete("y");
        await().atMost(LIMIT)
                .until(() -> ok("get_work", "id", item).text("status").equals("closed"));
        String first = create("broker", "on_finish", Map.of("step", Map.of("key", "announce", "input", "now")));
        complete("x");
        complete("y");
        Reply last = ok("claim_next_step", "holder", "ann", "wait_seconds", 50);
        assertThat(last.body().at("/step/key").asString()).isEqualTo("announce");
        assertThat(last.body().at("/step/context/task_id").asString()).isEqualTo(first);
    }

    @Test
    void the_diff_of_a_step_is_proposed_for_review() {
        String id = create(
                "broker",
                "on_finish",
                Map.of("open_review", Map.of("step", "b", "intent", "merge it", "project", "shop")));
        complete("x");
        complete(Map.of("diff", "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n"));
        await().atMost(LIMIT).until(() -> ok("list_reviews").body().toString().contains("task-" + id));
    }

    /** Or it could judge under its own name what it has brought under another. */
    @Test
    void a_session_brings_a_proposal_under_its_own_name_only() {
        String agent = ok(
                        "start_session",
                        Given.session("s-1", ProcessHandle.current().pid()))
                .text("holder");
        String id = create(
                "broker",
                "on_finish",
                Map.of("open_review", Map.of("step", "b", "intent", "merge it", "project", "shop")));
        complete("x");
        Reply ghosts = ok("claim_next_step", "holder", "ghost", "wait_seconds", 50);
        Map<String, Object> diff = Map.of("diff", "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n");
        Reply refused = caller.call(
                "complete_step",
                "step_id",
                id + ".b",
                "holder",
                "ghost",
                "claim_generation",
                ghosts.body().path("claim_generation").asLong(),
                "result",
                diff);
        assertThat(refused.text("code")).isEqualTo("forbidden");
        assertThat(refused.text("error")).contains("complete it as " + agent + ", not as ghost");
        ok(
                "release",
                "resource",
                "step:" + id + ".b",
                "holder",
                "ghost",
                "claim_generation",
                ghosts.body().path("claim_generation").asLong());
        Reply own = ok("claim_next_step", "holder", agent, "wait_seconds", 50);
        ok(
                "complete_step",
                "step_id",
                id + ".b",
                "holder",
                agent,
                "claim_generation",
                own.body().path("claim_generation").asLong(),
                "result",
                diff);
        await().atMost(LIMIT).until(() -> ok("list_reviews").body().toString().contains("task-" + id));
        assertThat(caller.call("claim_review", "review_id", "task-" + id, "reviewer_id", "rita")
                        .text("error"))
                .contains(agent + " proposed it");
        ok("end_session", "session_id", "s-1");
    }

    private static HttpServer serve(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    /** Finishes a task that calls this server; returns its id. */
    private String finishCalling(HttpServer server) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/done";
        String id = create("broker", "on_finish", Map.of("webhook", Map.of("url", url)));
        complete("x");
        complete("y");
        return id;
    }

    @Test
    void a_webhook_is_called_until_it_answers_well_signed_and_with_the_same_key() throws Exception {
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        HttpServer server = serve(exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            calls.add(exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Holdfast-Signature") + " " + body);
            exchange.sendResponseHeaders(calls.size() == 1 ? 500 : 204, -1);
            exchange.close();
        });
        try {
            String id = finishCalling(server);
            await().atMost(LIMIT).until(() -> calls.size() == 2);
            String call = calls.element();
            String body = call.substring(call.indexOf('{'));
            assertThat(call).isEqualTo(id + " sha256=" + hmac("swordfish", body) + " " + body);
            assertThat(body).contains("\"task_id\":\"" + id + "\"", "\"state\":\"complete\"");
            assertThat(calls.stream().distinct()).hasSize(1);
        } finally {
            server.stop(0);
        }
        Reply refused = caller.call(
                "create_task",
                "name",
                "x",
                "steps",
                List.of(step("a")),
                "on_finish",
                Map.of("webhook", Map.of("url", "https://example.org/")));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error")).contains("tasks.webhook_hosts");
    }

    private static String hmac(String secret, String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void a_webhook_that_never_answers_well_is_given_up_and_the_task_tells() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        HttpServer server = serve(exchange -> {
            calls.incrementAndGet();
            exchange.getResponseHeaders().add("Location", "/elsewhere"); // which is not followed
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        try {
            String id = finishCalling(server);
            await().atMost(LIMIT).until(() -> task(id).path("why").toString().contains("given up"));
            assertThat(calls).hasValue(2);
            assertThat(task(id).path("why").toString()).contains("it answered 302");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void only_who_is_kept_out_by_another_meets_contention_and_extending_is_no_claim() {
        String id = create("external");
        ok("claim_finalization", "task_id", id, "processor_id", "p");
        complete("x");
        complete("y");
        ok("claim_finalization", "task_id", "nobody", "processor_id", "p");
        ok("claim_finalization", "task_id", id, "processor_id", "p");
        ok("claim_finalization", "task_id", id, "processor_id", "q");
        ok("extend_finalization", "task_id", id, "processor_id", "p", "claim_generation", 1);
        ok("extend_finalization", "task_id", id, "processor_id", "q", "claim_generation", 1);
        ok("release_finalization", "task_id", id, "processor_id", "q", "claim_generation", 1);
        ok("finish_task", "task_id", id, "processor_id", "p", "claim_generation", 1);
        ok("claim_finalization", "task_id", id, "processor_id", "q");
        await().atMost(LIMIT)
                .until(() -> caller.get("/metrics").raw().body().contains("finalization_claim_attempts_total 5.0"));
        String reason = "finalization_claim_contention_by_reason_total{reason=";
        assertThat(caller.get("/metrics").raw().body())
                .contains("finalization_claim_success_total 1.0")
                .contains("finalization_claim_contention_total 1.0")
                .contains(reason + "\"already_claimed\"} 1.0")
                .contains(reason + "\"already_complete\"} 1.0")
                .contains(reason + "\"not_ready\"} 1.0")
                .contains(reason + "\"other\"} 1.0")
                .contains(reason + "\"race_condition\"} 0.0")
                .contains("finalization_claim_extend_attempts_total 2.0")
                .contains("finalization_claim_extend_success_total 1.0")
                .contains("finalization_claim_extend_failed_total 1.0")
                .contains("finalization_claim_release_attempts_total 1.0")
                .contains("finalization_claim_release_success_total 0.0")
                .contains("finalization_claim_release_not_owned_total 1.0")
                .contains("finalization_claim_duration_seconds_count 5");
    }

    @Test
    void why_tells_whom_and_what_a_task_waits_for() throws IOException {
        String id = create("external");
        Reply taken = ok("claim_step", "step_id", id + ".a", "holder", "ann");
        assertThat(why(id)).contains("Step a has been claimed by ann since 20").contains(", until 20");
        fail(taken, id + ".a", true);
        assertThat(why(id)).contains("Step a has failed 1 of 3 times (no disk) and will be retried at 20");
        Reply again = awaitClaim(id + ".a");
        ok("complete_step", "step_id", id + ".a", "holder", "ann", "claim_generation", again.generation());
        ok("claim_finalization", "task_id", id, "processor_id", "early");
        assertThat(why(id)).contains("It cannot end yet, though early holds its finalization, until 20");
        ok("release_finalization", "task_id", id, "processor_id", "early");
        complete("y");
        assertThat(why(id))
                .contains("It has been ready to end since 20")
                .contains("nobody has claimed its finalization");
        ok("claim_finalization", "task_id", id, "processor_id", "late");
        assertThat(why(id)).contains("It can end now; late holds its finalization, until 20");

        String failing = create("broker");
        fail(ok("claim_step", "step_id", failing + ".a", "holder", "ann"), failing + ".a", false);
        awaitState(failing, "failed");
        assertThat(why(failing)).contains("Step a has failed: no disk");

        String nobody = create("broker", "on_finish", Map.of("webhook", Map.of("url", "http://127.0.0.1:1/")));
        complete("x");
        complete("y");
        awaitState(nobody, "complete");
        await().atMost(LIMIT).until(() -> why(nobody).contains("is not done yet, after 1 attempt ("));
        assertThat(why(nobody)).contains("the next is at 20");
    }

    private String why(String id) {
        return String.join(
                "\n", task(id).path("why").valueStream().map(JsonNode::asString).toList());
    }

    private void fail(Reply taken, String stepId, boolean retry) {
        ok(
                "fail_step",
                "step_id",
                stepId,
                "holder",
                "ann",
                "claim_generation",
                taken.generation(),
                "error",
                "no disk",
                "retry",
                retry);
    }

    private Reply awaitClaim(String stepId) {
        return await().atMost(LIMIT)
                .until(
                        () -> caller.call("claim_step", "step_id", stepId, "holder", "ann"),
                        reply -> reply.status() == 200);
    }

    @Test
    void a_bad_plan_is_answered_with_what_is_wrong_and_makes_nothing() {
        refused("dependency cycle: a, b", step("a", "b"), step("b", "a"));
        refused("dependency cycle: b, c", step("a", "b"), step("b", "c"), step("c", "b"), step("d"));
        refused("step 'a' depends on 'c', which is not a step of this task", step("a", "c"));
        refused("step key 'a' is given twice", step("a"), step("a"));
        refused("dependency cycle: a", step("a", "a"));
        refused("letters, digits, - or _", step("a b"));
        refused("unknown field steps[0].inptu; did you mean input?", Map.of("key", "a", "inptu", 1));
        refused("steps[0].depends_on", Map.of("key", "a", "depends_on", "b"));
        refused("steps[1].key", step("a"), Map.of("input", 1));
        refused("steps[0].max_attempts", Map.of("key", "a", "max_attempts", 0));
        refused("steps[0].max_attempts", Map.of("key", "a", "max_attempts", "many"));
        refused("steps[0]", "a");
        refused(
                "10000",
                IntStream.rangeClosed(0, 10_000).mapToObj(i -> step("s" + i)).toArray());
        Reply policy = caller.call("create_task", "name", "x", "steps", List.of(step("a")), "policy", "any");
        assertThat(policy.status()).isEqualTo(400);
        assertThat(policy.text("error")).contains("policy", "all_succeeded");
        Reply unknown = caller.call("create_task", "name", "x", "stepps", List.of(step("a")));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text("error")).contains("stepps", "steps");
        assertThat(ok("list_tasks").body().path("tasks")).isEmpty();
    }

    private void refused(String why, Object... steps) {
        Reply reply = caller.call("create_task", "name", "x", "steps", List.of(steps));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.text("error")).contains(why);
        assertThat(reply.text("code")).isEqualTo("invalid");
    }

    @Test
    void steps_and_finalizations_can_be_had_like_any_other_thing() {
        String id = create("external");
        Reply claimed = ok("claim", "resource", "step:" + id + ".a", "holder", "ann");
        ok("heartbeat", "resource", "step:" + id + ".a", "holder", "ann", "claim_generation", claimed.generation());
        ok("release", "resource", "step:" + id + ".a", "holder", "ann", "claim_generation", claimed.generation());
        complete("x");
        complete("y");
        Reply next = ok("claim_next", "kind", "finalization", "holder", "p", "queue", "external");
        assertThat(next.text("resource")).isEqualTo("finalization:" + id);
        assertThat(ok("finish_task", "task_id", id, "processor_id", "p", "claim_generation", next.generation())
                        .body()
                        .path("finished")
                        .asBoolean())
                .isTrue();
    }
}
