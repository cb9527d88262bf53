package dev.holdfast.broker.team;

import dev.holdfast.broker.team.ChaosBook.Kept;
import dev.holdfast.broker.team.PatientMember.Reply;
import dev.holdfast.claim.Call;
import dev.holdfast.claim.Call.Verb;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** One of many agents that claim, plan, work, propose, review and look around, in an order that its seed decides. */
final class ChaosAgent {
    private static final int KEYS = 80;
    private static final int QUEUES = 4;
    private static final String PROJECT = "chaos";

    private final PatientMember broker;
    private final ChaosBook book;
    private final Random random;
    private final String name;
    private final Deque<Held> old = new ArrayDeque<>();
    private final List<String> proposed = new ArrayList<>();
    private int made;
    /** How many seconds it lets a broker wait for something to do, instead of asking again and again. */
    private int patience = 8;

    private record Held(String resource, long generation) {}

    /** @param name the token's name, a slash, and its own name */
    ChaosAgent(Member member, ChaosBook book, String name, long seed) {
        this.book = book;
        this.name = name;
        random = new Random(seed);
        broker = new PatientMember(member, book, random);
    }

    /** Does a bit of everything. */
    void live() throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 40) {
            key();
        } else if (choice < 47) {
            plan();
        } else if (choice < 58) {
            work();
        } else if (choice < 62) {
            startTask();
        } else if (choice < 74) {
            step();
        } else if (choice < 79) {
            endTask();
        } else if (choice < 82) {
            propose();
        } else if (choice < 88) {
            review();
        } else if (choice < 90) {
            reserve();
        } else if (choice < 92) {
            session();
        } else {
            look();
        }
    }

    /** Starts nothing new; finishes what there is. */
    void finish() throws InterruptedException {
        patience = 1;
        work();
        step();
        endTask();
    }

    private String id() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private void key() throws InterruptedException {
        if (!old.isEmpty() && random.nextInt(6) == 0) {
            comeBackTooLate(old.poll());
            return;
        }
        String key = "key:" + random.nextInt(KEYS);
        long invoked = System.nanoTime();
        Optional<Reply> reply = broker.call(
                "claim",
                "resource",
                key,
                "holder",
                name,
                "ttl_seconds",
                random.nextInt(1, 6),
                "wait_seconds",
                random.nextInt(3),
                "request_id",
                id());
        record(Verb.CLAIM, key, 0, reply, invoked);
        if (reply.isEmpty() || !reply.get().answer().ok()) {
            return;
        }
        Held held = new Held(key, reply.get().answer().generation());
        for (int beats = random.nextInt(3); beats > 0; beats--) {
            use(Verb.HEARTBEAT, held);
        }
        if (random.nextInt(10) > 0) {
            use(Verb.RELEASE, held);
        }
        old.add(held);
        if (old.size() > 5) {
            old.poll();
        }
    }

    private void comeBackTooLate(Held held) throws InterruptedException {
        use(random.nextBoolean() ? Verb.HEARTBEAT : Verb.RELEASE, held);
    }

    private void use(Verb verb, Held held) throws InterruptedException {
        long invoked = System.nanoTime();
        Optional<Reply> reply = broker.call(
                verb == Verb.HEARTBEAT ? "heartbeat" : "release",
                "resource",
                held.resource,
                "holder",
                name,
                "claim_generation",
                held.generation);
        record(verb, held.resource, held.generation, reply, invoked);
    }

    private void record(Verb verb, String key, long shown, Optional<Reply> reply, long invoked) {
        JsonNode body = reply.map(one -> one.answer().body()).orElse(null);
        Call.Answer answer = Call.Answer.UNKNOWN;
        if (reply.isPresent() && body != null && reply.get().answer().ok()) {
            answer = switch (verb) {
                case CLAIM ->
                    body.path("already_held").asBoolean(false)
                            ? Call.Answer.ALREADY
                            : body.path("displaced").isObject() ? Call.Answer.TAKEN_OVER : Call.Answer.GRANTED;
                case HEARTBEAT -> Call.Answer.EXTENDED;
                // a release of what is already free is answered as such, and changes nothing
                case RELEASE ->
                    body.path("replayed").asBoolean(false)
                                    || body.path("already").asBoolean(false)
                            ? Call.Answer.REPLAYED
                            : Call.Answer.ENDED;
                case FAIL, COMPLETE, RECLAIM, SWEEP -> throw new IllegalArgumentException(verb.toString());
            };
        } else if (reply.isPresent()) {
            answer = Call.Answer.LOST;
        }
        book.key(new Call(
                verb,
                key,
                name,
                shown,
                answer,
                null,
                verb == Verb.CLAIM && body != null
                        ? body.path("claim_generation").asLong()
                        : shown,
                0,
                body == null ? 0 : micros(body.path("expires_at").asString("")),
                invoked,
                System.nanoTime(),
                reply.map(Reply::lost).orElse(0)));
    }

    private static long micros(String time) {
        return time.isEmpty() ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }

    private void plan() throws InterruptedException {
        String id = "w-" + name.replace('/', '-') + "-" + made++;
        broker.call("create_work", "id", id, "title", "do " + id, "queue", queue(), "priority", random.nextInt(5))
                .filter(reply -> reply.answer().ok())
                .ifPresent(_ -> book.acknowledged(Kept.WORK_CREATED, id));
    }

    private String queue() {
        return "q" + random.nextInt(QUEUES);
    }

    private void work() throws InterruptedException {
        Optional<JsonNode> given = granted(broker.call(
                "claim_next_work",
                "holder",
                name,
                "queue",
                queue(),
                "ttl_seconds",
                random.nextInt(2, 9),
                "wait_seconds",
                random.nextInt(patience + 1),
                "request_id",
                id()));
        if (given.isEmpty() || !given.get().has("claim")) {
            return;
        }
        String id = given.get().at("/item/id").asString();
        long generation = given.get().at("/claim/claim_generation").asLong();
        book.acknowledged(Kept.GRANT, "work:" + id + " " + name + " " + generation);
        if (random.nextInt(4) == 0) {
            broker.call("update_work", "id", id, "holder", name, "claim_generation", generation, "note", "half done");
        }
        if (random.nextInt(12) == 0) {
            return; // and forgets it
        }
        broker.call("close_work", "id", id, "holder", name, "claim_generation", generation, "reason", "done")
                .filter(reply -> reply.answer().ok())
                .ifPresent(_ -> book.acknowledged(Kept.WORK_CLOSED, id));
    }

    private void startTask() throws InterruptedException {
        String key = name + "-" + made++;
        broker.call(
                        "create_task",
                        "name",
                        "task " + key,
                        "finalizer",
                        "external",
                        "idempotency_key",
                        key,
                        "steps",
                        List.of(
                                Map.of("key", "one", "max_attempts", 100),
                                Map.of("key", "two", "max_attempts", 100, "depends_on", List.of("one"))))
                .filter(reply -> reply.answer().ok())
                .ifPresent(reply ->
                        book.acknowledged(Kept.TASK_CREATED, reply.answer().text("task_id")));
    }

    private void step() throws InterruptedException {
        Optional<JsonNode> given = granted(broker.call(
                "claim_next_step",
                "holder",
                name,
                "ttl_seconds",
                random.nextInt(2, 9),
                "wait_seconds",
                random.nextInt(patience + 1),
                "request_id",
                id()));
        if (given.isEmpty() || !given.get().path("step").isObject()) {
            return;
        }
        String step = given.get().at("/step/step_id").asString();
        long generation = given.get().path("claim_generation").asLong();
        book.acknowledged(Kept.GRANT, "step:" + step + " " + name + " " + generation);
        int choice = random.nextInt(12);
        if (choice == 0) {
            return; // and forgets it
        }
        if (choice == 1) {
            broker.call(
                    "fail_step",
                    "step_id",
                    step,
                    "holder",
                    name,
                    "claim_generation",
                    generation,
                    "error",
                    "broke",
                    "retry",
                    true);
            return;
        }
        broker.call("complete_step", "step_id", step, "holder", name, "claim_generation", generation)
                .filter(reply -> reply.answer().ok())
                .ifPresent(_ -> book.acknowledged(Kept.STEP_COMPLETED, step + " " + generation));
    }

    private void endTask() throws InterruptedException {
        String processor = name + "/p" + made++;
        Optional<JsonNode> given = granted(broker.call(
                "claim_next",
                "kind",
                "finalization",
                "queue",
                "external",
                "holder",
                processor,
                "ttl_seconds",
                random.nextInt(2, 6),
                "request_id",
                id()));
        if (given.isEmpty() || !given.get().path("claim_generation").isNumber()) {
            return;
        }
        String resource = given.get().path("resource").asString();
        String task = resource.substring("finalization:".length());
        long generation = given.get().path("claim_generation").asLong();
        book.acknowledged(Kept.GRANT, resource + " " + processor + " " + generation);
        broker.call("get_task", "task_id", task);
        broker.call("finish_task", "task_id", task, "processor_id", processor, "claim_generation", generation)
                .filter(reply -> reply.answer().ok()
                        && reply.answer().body().path("finished").asBoolean(false))
                .ifPresent(_ -> book.acknowledged(Kept.TASK_FINISHED, task));
    }

    private void propose() throws InterruptedException {
        if (!proposed.isEmpty() && random.nextInt(3) > 0) {
            String review = proposed.get(random.nextInt(proposed.size()));
            switch (random.nextInt(4)) {
                case 0 ->
                    broker.once("add_message", "review_id", review, "sender_role", "proposer", "body", "well? " + id())
                            .filter(reply -> reply.answer().ok())
                            .ifPresent(reply -> book.acknowledged(Kept.MESSAGE, review));
                case 1 -> broker.call("close_review", "review_id", review);
                default -> broker.call("get_review_status", "review_id", review);
            }
            return;
        }
        String text = id();
        broker.once(
                        "create_review",
                        "intent",
                        "change " + text,
                        "project",
                        PROJECT,
                        "holder",
                        name,
                        "diff",
                        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+" + text + "\n")
                .filter(reply -> reply.answer().ok())
                .ifPresent(reply -> {
                    proposed.add(reply.answer().text("review_id"));
                    book.acknowledged(Kept.REVIEW_CREATED, reply.answer().text("review_id"));
                });
    }

    private void review() throws InterruptedException {
        Optional<JsonNode> given = granted(broker.call(
                "claim_next_review",
                "reviewer_id",
                name,
                "project",
                PROJECT,
                "wait_seconds",
                random.nextInt(patience + 1),
                "request_id",
                id()));
        if (given.isEmpty() || !given.get().path("claim_generation").isNumber()) {
            return;
        }
        String review = given.get().path("review_id").asString();
        long generation = given.get().path("claim_generation").asLong();
        book.acknowledged(Kept.GRANT, "review:" + review + " " + name + " " + generation);
        broker.call("get_proposal", "review_id", review, "caller_id", name);
        if (random.nextInt(8) == 0) {
            broker.call("release_review", "review_id", review, "reviewer_id", name, "claim_generation", generation);
            return;
        }
        boolean good = random.nextInt(3) > 0;
        broker.call(
                        "submit_verdict",
                        "review_id",
                        review,
                        "verdict",
                        good ? "approved" : "changes_requested",
                        "reason",
                        "as it is",
                        "reviewer_id",
                        name,
                        "claim_generation",
                        generation)
                .filter(reply -> reply.answer().ok())
                .ifPresent(_ -> book.acknowledged(Kept.VERDICT, review + " " + generation));
    }

    private void reserve() throws InterruptedException {
        String path = "src/" + random.nextInt(20) + "/File" + random.nextInt(5) + ".java";
        broker.call("check_path", "holder", name, "queue", PROJECT, "path", path);
        broker.call("reserve_paths", "holder", name, "queue", PROJECT, "paths", List.of(path), "ttl_seconds", 2);
    }

    private void session() throws InterruptedException {
        String session = id();
        Optional<JsonNode> started = granted(broker.call("start_session", "session_id", session, "kind", "claude"));
        if (started.isPresent()) {
            broker.call("heartbeat", "holder", started.get().path("holder").asString());
            broker.call("end_session", "session_id", session);
        }
    }

    private void look() throws InterruptedException {
        switch (random.nextInt(10)) {
            case 0 -> broker.call("who", "limit", 20);
            case 1 -> broker.call("list_work", "limit", 20, "queue", queue());
            case 2 -> broker.call("list_reviews", "limit", 20);
            case 3 -> broker.call("list_tasks", "limit", 20);
            case 4 -> broker.call("get_events", "limit", 20, "newest_first", true);
            case 5 -> broker.call("get_activity_feed", "limit", 10);
            case 6 -> broker.call("list_agents", "limit", 20);
            case 7 -> broker.call("get_review_stats");
            case 8 -> broker.call("ready_work", "limit", 20, "queue", queue());
            default -> broker.call("get_audit_log", "limit", 20);
        }
    }

    private static Optional<JsonNode> granted(Optional<Reply> reply) {
        return reply.map(Reply::answer).filter(Member.Answer::ok).map(Member.Answer::body);
    }
}
