package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.Caller.Reply;
import dev.holdfast.broker.Given;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.token.Role;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Tokens of a team, at the doors of one broker that lets nobody in without one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TeamTokensContract {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final Set<String> PROJECTS = Set.of("project", "queue", "namespace", "repository");
    private static final String DIFF = """
            diff --git a/a.txt b/a.txt
            --- a/a.txt
            +++ b/a.txt
            @@ -1 +1 @@
            -one
            +two
            """;

    /** About what the caller itself has, whatever its project. */
    private static final Set<String> OWN = Set.of("heartbeat", "release", "end_session");

    /** They take the next one there is, or make one: no other's name or thing is in the call. */
    private static final Set<String> NOBODYS = Set.of("create_task");

    private Broker broker;
    private Caller user;
    private final Map<Role, String> tokens = new EnumMap<>(Role.class);
    private final Map<Role, String> expired = new EnumMap<>(Role.class);
    private final Map<Role, String> revoked = new EnumMap<>(Role.class);
    private final Map<Role, String> elsewhere = new EnumMap<>(Role.class);
    private final Map<Kind, String> things = new EnumMap<>(Kind.class);
    private int made;

    abstract Settings store(Path folder);

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        broker = Broker.start(Config.in(folder, store(folder).put(Setting.LOOPBACK, "token")));
        int port = URI.create(broker.url()).getPort();
        user = new Caller(
                broker.url(),
                Files.readString(folder.resolve("state/token-127.0.0.1-" + port))
                        .strip());
        for (Role role : Role.values()) {
            expired.put(role, create("old-" + role, role, "expires_seconds", 1));
        }
        for (Role role : Role.values()) {
            tokens.put(role, create("the-" + role, role));
            revoked.put(role, create("former-" + role, role));
            user.call("revoke_token", "token", "former-" + role);
            if (role != Role.ADMIN) {
                elsewhere.put(role, create("far-" + role, role, "projects", List.of("elsewhere")));
            }
        }
        create("somebody", Role.WORKER);
        make();
        await().until(() -> call(expired.get(Role.ADMIN), "who").status() == 401);
    }

    /** One thing of each kind, of the project shop, and not of any of these tokens. */
    private void make() {
        things.put(
                Kind.WORK,
                user.call("create_work", "title", "something", "queue", "shop")
                        .body()
                        .at("/item/id")
                        .asString());
        things.put(
                Kind.REVIEW,
                user.call("create_review", "intent", "something", "project", "shop", "diff", DIFF)
                        .text("review_id"));
        String task = user.call(
                        "create_task", "name", "something", "namespace", "shop", "steps", List.of(Map.of("key", "one")))
                .text("task_id");
        things.put(Kind.FINALIZATION, task);
        things.put(Kind.STEP, task + ".one");
        user.call("start_session", "session_id", "not-theirs", "kind", "claude");
    }

    private String create(String name, Role role, Object... more) {
        Object[] arguments = Stream.concat(Stream.of("name", name, "roles", List.of(role.toString())), Stream.of(more))
                .toArray();
        Reply reply = user.call("create_token", arguments);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply.text("token");
    }

    @AfterAll
    void stop() {
        user.close();
        broker.close();
    }

    private Reply call(@Nullable String token, String verb, Object... arguments) {
        return send(token, verb, Given.map(arguments));
    }

    private Reply send(@Nullable String token, String verb, Map<String, Object> body) {
        var request = java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + "/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(body)));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return user.send(request).join();
    }

    /** A call that a verb would at least look at: everything it must be given, and its project. */
    private Map<String, Object> arguments(Verb verb, String actor) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (Property field : verb.arguments()) {
            boolean project = PROJECTS.contains(field.name());
            if (field.required() || project || field.actor()) {
                arguments.put(field.name(), project ? "shop" : value(field, actor));
            }
        }
        switch (verb.name()) {
            case "claim", "release", "take_back" -> arguments.put("resource", "work:" + things.get(Kind.WORK));
            case "claim_next" -> arguments.put("kind", "work");
            case "get_events" -> arguments.put("resource", "work:" + things.get(Kind.WORK));
            case "get_audit_log" -> arguments.put("review_id", things.get(Kind.REVIEW));
            case "get_finalization_attempts" -> arguments.put("task_id", things.get(Kind.FINALIZATION));
            case "create_task" -> arguments.put("steps", List.of(Map.of("key", "one")));
            case "add_message" -> arguments.put("sender_role", "reviewer");
            case "create_token" -> arguments.put("name", "new-" + made++);
            case "start_session" -> {
                arguments.put("session_id", actor + "-session");
                arguments.put("parent", actor);
            }
            case "end_session" -> arguments.put("session_id", actor + "-session");
            default -> {}
        }
        return arguments;
    }

    private Object value(Property field, String actor) {
        if (field.actor()) {
            return actor;
        }
        if (field.idOf() != null) {
            String id = Objects.requireNonNull(things.get(field.idOf()));
            return field.type() == Property.Type.TEXTS ? List.of(id) : id;
        }
        return switch (field.type()) {
            case INTEGER, NUMBER -> 1;
            case BOOLEAN -> false;
            case OBJECT, ANYTHING -> Map.of();
            case TEXTS, OBJECTS -> List.of();
            case TEXT, TIME, VALUE ->
                field.words().isEmpty() ? "something" : field.words().getFirst();
        };
    }

    /** A generic claim is also a question of kinds; these roles may have work items. */
    private static boolean mayCall(Role role, Verb verb) {
        boolean ofWork = verb.name().equals("claim") || verb.name().equals("claim_next");
        boolean speaksAsReviewer = verb.name().equals("add_message");
        return Permissions.of(verb.name()).contains(role)
                && (!ofWork || role == Role.WORKER || role == Role.ADMIN)
                && (!speaksAsReviewer || role != Role.PROPOSER);
    }

    /** Every verb × role × own, other's, no token, expired, revoked, wrong project. */
    @Test
    void every_verb_answers_every_role_as_the_one_table_says() {
        Permissions.check(broker.verbs());
        List<String> wrong = new ArrayList<>();
        for (Verb verb : broker.verbs()) {
            expect(wrong, verb, "no token", null, "somebody", 401);
            for (Role role : Role.values()) {
                String self = "the-" + role;
                boolean may = mayCall(role, verb);
                expect(wrong, verb, role + " expired", expired.get(role), self, 401);
                expect(wrong, verb, role + " revoked", revoked.get(role), self, 401);
                if (!may) {
                    expect(wrong, verb, role + " own", tokens.get(role), self, 403);
                    continue;
                }
                boolean ofTheProposer = Set.of(
                                "close_review", "withdraw_review", "accept_counter_patch", "reject_counter_patch")
                        .contains(verb.name());
                expect(
                        wrong,
                        verb,
                        role + " own",
                        tokens.get(role),
                        self,
                        ofTheProposer && role != Role.ADMIN ? 403 : 0);
                boolean named = !verb.actors().isEmpty() || verb.name().equals("start_session");
                if (named) {
                    expect(wrong, verb, role + " other's", tokens.get(role), "somebody", 403);
                }
                if (role != Role.ADMIN && !NOBODYS.contains(verb.name())) {
                    expect(
                            wrong,
                            verb,
                            role + " wrong project",
                            elsewhere.get(role),
                            "far-" + role,
                            OWN.contains(verb.name()) ? 0 : ELSEWHERE);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Refused, or as if what it is about did not exist. */
    private static final int ELSEWHERE = -1;

    /** @param status 0: it is let in, whatever the verb then makes of such arguments */
    private void expect(List<String> wrong, Verb verb, String who, @Nullable String token, String actor, int status) {
        Reply reply = send(token, verb.name(), arguments(verb, actor));
        boolean letIn = reply.status() != 401 && reply.status() != 403 && reply.status() < 500;
        boolean domain = reply.status() == 403 && !reply.text("error").contains("token");
        boolean right = switch (status) {
            case 0 -> letIn || domain;
            case ELSEWHERE -> reply.status() == 403 || reply.text("error").endsWith(" in elsewhere");
            default -> reply.status() == status;
        };
        if (!right) {
            wrong.add(who + " " + verb.name() + ": " + reply.status() + " " + reply.body());
        }
    }

    @Test
    void a_session_belongs_to_the_token_it_was_started_with() {
        String ann = create("ann", Role.WORKER);
        String bob = create("bob", Role.WORKER);
        Reply started = call(ann, "start_session", "session_id", "ann-laptop", "kind", "claude");
        String agent = started.text("holder");
        assertThat(call(ann, "claim", "resource", "key:a", "holder", agent).status())
                .isEqualTo(200);
        assertThat(call(ann, "claim", "resource", "key:b", "holder", "ann/build")
                        .status())
                .isEqualTo(200);
        assertThat(call(ann, "claim", "resource", "key:c").body().path("holder").asString())
                .as("nobody named: the token's own name")
                .isEqualTo("ann");
        assertThat(call(bob, "claim", "resource", "key:d", "holder", agent).status())
                .isEqualTo(403);
        assertThat(call(bob, "claim", "resource", "key:d", "holder", "ann/build")
                        .status())
                .isEqualTo(403);
        assertThat(call(bob, "start_session", "session_id", "ann-laptop", "kind", "claude")
                        .status())
                .isEqualTo(403);
        assertThat(call(bob, "start_session", "session_id", "bobs", "kind", "claude", "parent", "ann")
                        .status())
                .isEqualTo(403);
        assertThat(call(bob, "start_session", "session_id", "bobs", "kind", "person", "name", "ann")
                        .status())
                .isEqualTo(403);
        assertThat(call(bob, "end_session", "session_id", "ann-laptop").status())
                .isEqualTo(403);
        assertThat(user.call("claim", "resource", "key:d", "holder", agent).status())
                .as("also the broker's own user leaves it alone")
                .isEqualTo(401);
        assertThat(user.call("start_session", "session_id", "ann-laptop", "kind", "claude")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void who_waits_with_a_token_that_is_revoked_meanwhile_is_given_nothing() throws Exception {
        String late = create("late", Role.WORKER);
        long generation =
                user.call("claim", "resource", "key:wanted", "holder", "first").generation();
        CompletableFuture<Reply> waiting =
                CompletableFuture.supplyAsync(() -> call(late, "claim", "resource", "key:wanted", "wait_seconds", 30));
        await().during(Duration.ofMillis(300)).until(() -> !waiting.isDone());
        user.call("revoke_token", "token", "late");
        user.call("release", "resource", "key:wanted", "holder", "first", "claim_generation", generation);
        Reply refused = waiting.get();
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text("error")).contains("the token late was revoked");
        assertThat(user.call("claim", "resource", "key:wanted", "holder", "second")
                        .status())
                .as("it is free again")
                .isEqualTo(200);
    }

    @Test
    void a_stream_ends_soon_after_its_token_was_revoked() throws Exception {
        String late = create("listener", Role.VIEWER);
        var events = stream("/api/v1/events", "Authorization", "Bearer " + late);
        var page = stream("/ui/live", "Cookie", signedIn(late));
        assertThat(events.statusCode()).isEqualTo(200);
        assertThat(page.statusCode()).isEqualTo(200);
        user.call("revoke_token", "token", "listener");
        user.call("claim", "resource", "key:after", "holder", "ann-of-here");
        for (var stream : List.of(events, page)) {
            try (var in = stream.body()) {
                assertThat(CompletableFuture.supplyAsync(() -> {
                            try {
                                return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        }))
                        .succeedsWithin(Duration.ofSeconds(20));
            }
        }
    }

    private HttpResponse<java.io.InputStream> stream(String path, String header, String value)
            throws IOException, InterruptedException {
        return user.http()
                .send(
                        java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + path))
                                .header(header, value)
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
    }

    @Test
    void whoever_proposes_with_a_token_cannot_judge_with_it_under_any_name() {
        String both = create("both", Role.PROPOSER);
        String roles = user.call("create_token", "name", "two-hats", "roles", List.of("proposer", "reviewer"))
                .text("token");
        String own = call(
                        roles,
                        "create_review",
                        "intent",
                        "mine",
                        "project",
                        "shop",
                        "diff",
                        DIFF.replace("two", "three"),
                        "holder",
                        "two-hats/a")
                .text("review_id");
        assertThat(call(roles, "claim_review", "review_id", own, "reviewer_id", "two-hats/b")
                        .status())
                .isEqualTo(403);
        String others = call(
                        both,
                        "create_review",
                        "intent",
                        "theirs",
                        "project",
                        "shop",
                        "diff",
                        DIFF.replace("two", "four"))
                .text("review_id");
        assertThat(call(roles, "claim_review", "review_id", others, "reviewer_id", "two-hats/b")
                        .status())
                .isEqualTo(200);
        assertThat(call(roles, "withdraw_review", "review_id", others, "reason", "no")
                        .status())
                .as("it did not propose that")
                .isEqualTo(403);
        assertThat(call(both, "withdraw_review", "review_id", others, "reason", "no")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void what_is_proposed_or_held_with_a_token_is_nobodys_to_decide_about_without_one() {
        String proposer = create("carol", Role.PROPOSER);
        String worker = create("dave", Role.WORKER);
        String diff = DIFF.replace("two", "five");
        String review = call(proposer, "create_review", "intent", "hers", "project", "shop", "diff", diff)
                .text("review_id");
        for (Reply reply : List.of(
                user.call("withdraw_review", "review_id", review, "reason", "no"),
                user.call("close_review", "review_id", review.substring(0, 12)),
                user.call("accept_counter_patch", "review_id", review),
                user.call("reject_counter_patch", "review_id", review),
                user.call("add_message", "review_id", review, "sender_role", "proposer", "body", "mine"),
                user.call("create_review", "review_id", review, "intent", "mine", "diff", DIFF))) {
            assertThat(reply.status()).as(reply.body().toString()).isEqualTo(401);
            assertThat(reply.text("error")).contains("proposed with the token carol");
        }
        String reviewer = create("rob", Role.REVIEWER);
        Reply claimed = call(reviewer, "claim_review", "review_id", review, "reviewer_id", "rob");
        Reply judged = user.call(
                "submit_verdict",
                "review_id",
                review,
                "verdict",
                "comment",
                "reason",
                "mine",
                "claim_generation",
                claimed.body().path("claim_generation").asLong());
        assertThat(judged.status()).as(judged.body().toString()).isEqualTo(401);
        assertThat(judged.text("error")).contains("held with the token rob");
        long generation = call(worker, "claim", "resource", "key:daves", "holder", "dave/1")
                .generation();
        Reply taken = user.call(
                "take_back", "resource", "key:daves", "claim_generation", generation, "by", "me", "reason", "mine");
        assertThat(taken.status()).isEqualTo(401);
        assertThat(taken.text("error")).contains("held with the token dave");
        String task = user.call(
                        "create_task", "name", "x", "namespace", "daves", "steps", List.of(Map.of("key", "one")))
                .text("task_id");
        Reply step = call(worker, "claim_next_step", "holder", "dave/2", "namespace", "daves");
        assertThat(step.status()).as(step.body().toString()).isEqualTo(200);
        for (Reply reply : List.of(
                user.call("cancel_task", "task_id", task.substring(0, 12), "reason", "no"),
                user.call("cancel_task", "task_id", task, "reason", "no", "holder", "me"))) {
            assertThat(reply.status()).as(reply.body().toString()).isEqualTo(401);
            assertThat(reply.text("error")).contains("held with the token dave");
        }
        assertThat(call(token(Role.PROCESSOR), "cancel_task", "task_id", task, "reason", "no")
                        .status())
                .as("a token whose role it is may")
                .isEqualTo(200);
        user.call("revoke_token", "token", "carol");
        assertThat(user.call("withdraw_review", "review_id", review, "reason", "she left")
                        .status())
                .as("what nobody can show a token for any more")
                .isEqualTo(200);
    }

    /** Whichever verb takes a generation: it is no secret, and proves nothing by itself. */
    @Test
    void a_generation_alone_moves_no_claim_of_a_tokens() {
        String gina = create("gina", Role.ADMIN);
        String item =
                call(gina, "create_work", "title", "hers").body().at("/item/id").asString();
        long generation = call(gina, "claim_work", "id", item).generation();
        String review = call(gina, "create_review", "intent", "x", "project", "shop", "diff", DIFF.replace("two", "g"))
                .text("review_id");
        String judge = create("gil", Role.REVIEWER);
        assertThat(call(judge, "claim_review", "review_id", review).status()).isEqualTo(200);
        String task = call(
                        gina,
                        "create_task",
                        "name",
                        "x",
                        "namespace",
                        "ginas",
                        "finalizer",
                        "external",
                        "policy",
                        "fail_fast",
                        "steps",
                        List.of(Map.of("key", "one")))
                .text("task_id");
        call(gina, "claim_step", "step_id", task + ".one");
        String before = held();
        assertThat(before).contains(item, review, task);
        Map<Kind, String> hers = new EnumMap<>(
                Map.of(Kind.WORK, item, Kind.REVIEW, review, Kind.STEP, task + ".one", Kind.FINALIZATION, task));
        int tried = 0;
        for (Verb verb : broker.verbs()) {
            if (verb.arguments().stream().noneMatch(field -> field.name().equals("claim_generation"))) {
                continue;
            }
            for (Kind kind : hers.keySet()) {
                Map<String, Object> arguments = arguments(verb, "");
                verb.actors().forEach(arguments::remove);
                verb.arguments().stream()
                        .filter(field -> field.idOf() != null)
                        .forEach(field -> arguments.put(field.name(), Objects.requireNonNull(hers.get(field.idOf()))));
                arguments.computeIfPresent("resource", (_, _) -> kind + ":" + hers.get(kind));
                arguments.put("claim_generation", generation);
                Reply reply = user.raw(verb.name(), MAPPER.writeValueAsString(arguments));
                assertThat(reply.status()).as(verb.name() + " " + reply.body()).isBetween(400, 499);
                tried++;
            }
        }
        assertThat(tried).isGreaterThan(40);
        assertThat(held()).isEqualTo(before);
    }

    private String held() {
        return user.call("who")
                        .body()
                        .path("holders")
                        .findValuesAsString("resource")
                        .toString()
                + user.call("who").body().path("holders").findValuesAsString("claim_generation");
    }

    /** A project in which everything is called hush, and a token of another that asks for all of it. */
    @Test
    void a_token_of_one_project_learns_nothing_of_another() {
        String keeper = create("hush-keeper", Role.ADMIN);
        String item = call(keeper, "create_work", "title", "hush", "queue", "hush", "id", "hush-1a2b")
                .body()
                .at("/item/id")
                .asString();
        call(keeper, "create_work", "title", "hush", "queue", "hush", "id", "hush-1a2c");
        call(keeper, "claim_work", "id", item, "paths", List.of("hush.txt"), "repository", "hush");
        String review = call(
                        keeper, "create_review", "intent", "hush", "project", "hush", "diff", DIFF.replace("two", "h"))
                .text("review_id");
        String judge = create("hush-judge", Role.REVIEWER);
        call(judge, "claim_review", "review_id", review);
        String task = call(
                        keeper,
                        "create_task",
                        "name",
                        "hush",
                        "namespace",
                        "hush",
                        "steps",
                        List.of(Map.of("key", "hush")))
                .text("task_id");
        call(keeper, "claim_step", "step_id", task + ".hush");
        call(keeper, "claim", "resource", "key:hush");
        Map<Kind, String> theirs = new EnumMap<>(
                Map.of(Kind.WORK, item, Kind.REVIEW, review, Kind.STEP, task + ".hush", Kind.FINALIZATION, task));
        for (Role role : List.of(Role.WORKER, Role.REVIEWER, Role.PROPOSER, Role.PROCESSOR)) {
            String shop = create("nosy-" + role, role, "projects", List.of("shop"));
            for (Verb verb : broker.verbs()) {
                if (!mayCall(role, verb)) {
                    continue;
                }
                for (boolean whole : List.of(true, false)) {
                    for (Kind kind : theirs.keySet()) {
                        Map<String, Object> asked = arguments(verb, "nosy-" + role);
                        asked.keySet().removeAll(PROJECTS);
                        if (verb.name().equals("reserve_paths") || verb.name().equals("check_path")) {
                            asked.put("queue", "shop");
                            asked.put(
                                    verb.name().equals("check_path") ? "path" : "paths",
                                    verb.name().equals("check_path") ? "hush.txt" : List.of("hush.txt"));
                        }
                        for (Property field : verb.arguments()) {
                            if (field.idOf() != null) {
                                String id = Objects.requireNonNull(theirs.get(field.idOf()));
                                String shown = whole ? id : id.substring(0, Math.min(id.length() - 1, 12));
                                asked.put(field.name(), field.type() == Property.Type.TEXTS ? List.of(shown) : shown);
                            }
                        }
                        asked.computeIfPresent(
                                "resource", (_, _) -> whole ? kind + ":" + theirs.get(kind) : "key:hush");
                        asked.remove("wait_seconds");
                        Reply reply = send(shop, verb.name(), asked);
                        String sent = MAPPER.writeValueAsString(asked);
                        assertThat(reply.raw().body())
                                .as(verb.name() + " " + sent)
                                .doesNotContain("hush-keeper")
                                .doesNotContain("hush-judge")
                                .doesNotContain("hush-1a2c");
                        theirs.values()
                                .forEach(id -> assertThat(sent.contains(id)
                                                || !reply.raw().body().contains(id))
                                        .as(verb.name() + " " + sent + ": "
                                                + reply.raw().body())
                                        .isTrue());
                        assertThat(reply.status()).as(verb.name() + " " + sent).isLessThan(500);
                    }
                }
            }
            Reply missing = call(shop, "get_work", "id", "hush-9z9z");
            if (Permissions.of("get_work").contains(role)) {
                assertThat(missing.text("error").replace("hush-9z9z", item))
                        .as("what is another's and what there is not are the same to it")
                        .isEqualTo(call(shop, "get_work", "id", item).text("error"));
                assertThat(missing.status()).isEqualTo(404);
            }
        }
    }

    @Test
    void a_review_of_another_project_and_one_that_does_not_exist_are_the_same_to_a_proposer() {
        String theirs = user.call("create_review", "intent", "x", "project", "hidden", "diff", DIFF)
                .text("review_id");
        String unknown = "00000000-0000-4000-8000-000000000000";
        String shop = create("shop-proposer", Role.PROPOSER, "projects", List.of("shop"));
        for (String verb : List.of("close_review", "withdraw_review", "accept_counter_patch", "reject_counter_patch")) {
            Reply missing = call(shop, verb, "review_id", unknown);
            Reply foreign = call(shop, verb, "review_id", theirs);
            assertThat(missing.status()).as(verb).isEqualTo(404);
            assertThat(foreign.status()).as(verb + " " + foreign.body()).isEqualTo(404);
            assertThat(foreign.text("error").replace(theirs, unknown)).as(verb).isEqualTo(missing.text("error"));
        }
    }

    @Test
    void what_a_token_of_one_project_makes_or_takes_is_of_that_project_whatever_else_the_call_names() {
        String shop = create("shop-maker", Role.WORKER, "projects", List.of("shop"));
        user.call("create_work", "title", "urgent elsewhere", "queue", "", "priority", 0);
        String parent = call(shop, "create_work", "title", "whole")
                .body()
                .at("/item/id")
                .asString();
        for (Map<String, Object> more : List.<Map<String, Object>>of(
                Map.of("parent", parent),
                Map.of("parent", parent, "queue", ""),
                Map.of("queue", " "),
                Map.of("discovered_from", parent))) {
            Map<String, Object> asked = new LinkedHashMap<>(more);
            asked.put("title", "part");
            Reply made = send(shop, "create_work", asked);
            assertThat(made.body().at("/item/queue").asString())
                    .as(more + " " + made.body())
                    .isEqualTo("shop");
        }
        Reply task = call(shop, "create_task", "name", "x", "namespace", " ", "steps", List.of(Map.of("key", "one")));
        assertThat(user.call("get_task", "task_id", task.text("task_id")).text("namespace"))
                .isEqualTo("shop");
        assertThat(call(shop, "update_work", "id", parent, "queue", " ").status())
                .isEqualTo(403);
    }

    /** A call that a proxy forwards comes from the proxy's process, which serves everybody. */
    @Test
    void a_session_that_comes_through_a_proxy_is_bound_to_no_process_of_this_machine() {
        String far = create("proxied", Role.WORKER);
        Map<String, Object> use =
                Map.of("hook_event_name", "PreToolUse", "session_id", "by-proxy", "tool_name", "Bash");
        post(far, "/hooks/claude", use, "X-Forwarded-For", "203.0.113.1");
        Map<String, Object> start = Map.of("session_id", "by-proxy-2", "kind", "codex");
        String key = MAPPER.readTree(post(far, "/api/v1/start_session", start, "X-Forwarded-For", "203.0.113.1"))
                .path("session_key")
                .asString();
        assertThat(user.call("list_agents", "limit", 1000).body().path("agents"))
                .anySatisfy(agent -> {
                    assertThat(agent.path("session_id").asString()).isEqualTo("by-proxy");
                    assertThat(agent.has("pid")).isFalse();
                });
        create("by-a-person", Role.VIEWER); // which an agent may not: nobody here is taken for that session
        assertThat(post(far, "/api/v1/end_session", Map.of("session_id", "by-proxy-2")))
                .as("what calls from the proxy's process has not started it")
                .contains("forbidden");
        assertThat(post(far, "/api/v1/end_session", Map.of("session_id", "by-proxy-2", "session_key", key)))
                .contains("released");
    }

    @Test
    void what_the_broker_does_at_the_end_of_a_task_needs_the_role_for_it() {
        String processor = create("pat", Role.PROCESSOR);
        Reply refused = call(
                processor,
                "create_task",
                "name",
                "x",
                "steps",
                List.of(Map.of("key", "one")),
                "on_finish",
                Map.of("close_work", Map.of("id", "hf-x")));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("error")).contains("closes a work item; that needs worker or admin");
    }

    @Test
    void a_token_of_one_project_moves_nothing_out_of_it() {
        String shop = create("shop-keeper", Role.WORKER, "projects", List.of("shop"));
        String item = call(shop, "create_work", "title", "stays")
                .body()
                .at("/item/id")
                .asString();
        assertThat(call(shop, "update_work", "id", item, "queue", "").status()).isEqualTo(403);
        assertThat(call(shop, "update_work", "id", item, "queue", "other").status())
                .isEqualTo(403);
        assertThat(call(shop, "update_work", "id", item, "title", "renamed").status())
                .isEqualTo(200);
    }

    @Test
    void a_name_that_looks_like_a_tokens_is_that_tokens() {
        create("erin", Role.WORKER);
        for (String alike : List.of(
                "erin",
                "erin ",
                " erin",
                "Erin",
                "er\u200bin",
                "\u202eerin",
                "ERIN/build",
                "\uff45rin",
                "erin\u2800",
                "erin\u180b",
                "er\u17b4in",
                "erin\udb40\udd00",
                "\u0435rin",
                "ERI\u039d",
                "er\u0131n/build")) {
            assertThat(user.call("claim", "resource", "key:erins", "holder", alike)
                            .status())
                    .as(alike)
                    .isEqualTo(401);
        }
        assertThat(user.call("claim", "resource", "key:erins", "holder", "erins")
                        .status())
                .isEqualTo(200);
    }

    /** What is done under such a name would not count as the token's: it could judge the review that its step opened. */
    @Test
    void a_token_itself_cannot_act_under_a_name_that_looks_like_its_own() {
        String roles = user.call("create_token", "name", "hatter", "roles", List.of("proposer", "reviewer", "worker"))
                .text("token");
        String task = createTask(
                        roles, Map.of("open_review", Map.of("step", "one", "intent", "mine", "project", "shop")))
                .text("task_id");
        for (String alike : List.of("Hatter", "hatter\u200b", "HATTER/a", "h\u0430tter")) {
            assertThat(call(roles, "claim_step", "step_id", task + ".one", "holder", alike)
                            .status())
                    .as(alike)
                    .isEqualTo(403);
        }
        Reply claimed = call(roles, "claim_step", "step_id", task + ".one", "holder", "hatter/a");
        call(
                roles,
                "complete_step",
                "step_id",
                task + ".one",
                "holder",
                "hatter/a",
                "claim_generation",
                claimed.body().path("claim_generation").asLong(),
                "result",
                Map.of("diff", DIFF.replace("two", "hat")));
        await().until(() ->
                user.call("get_review_status", "review_id", "task-" + task).status() == 200);
        assertThat(call(roles, "claim_review", "review_id", "task-" + task, "reviewer_id", "hatter")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_token_of_one_project_is_not_shown_what_belongs_to_none() {
        user.call("create_review", "intent", "of no project", "diff", DIFF.replace("two", "none"));
        String shop = create("shop-onlooker", Role.PROPOSER, "projects", List.of("shop"));
        for (List<String> projects : List.of(List.of(""), List.of("  "), List.of("shop", ""))) {
            assertThat(call(shop, "list_reviews", "projects", projects).status())
                    .as("%s", projects)
                    .isEqualTo(403);
        }
        assertThat(call(shop, "list_reviews", "projects", List.of("shop")).status())
                .isEqualTo(200);
    }

    private Reply createTask(String token, Map<String, Object> onFinish) {
        return call(token, "create_task", "name", "x", "steps", List.of(Map.of("key", "one")), "on_finish", onFinish);
    }

    @Test
    void a_token_of_one_project_is_about_that_project_wherever_it_does_not_say_so() {
        String shop = user.call(
                        "create_token", "name", "shop-only", "roles", List.of("worker"), "projects", List.of("Shop"))
                .text("token");
        user.call("create_work", "title", "of another", "queue", "other", "priority", 0);
        assertThat(call(shop, "create_work", "title", "without a queue")
                        .body()
                        .at("/item/queue")
                        .asString())
                .isEqualTo("shop");
        assertThat(call(shop, "claim_next_work").body().at("/item/queue").asString())
                .isEqualTo("shop");
        assertThat(call(shop, "list_work", "queue", "*").body().path("items"))
                .allSatisfy(item -> assertThat(item.path("queue").asString()).isEqualTo("shop"));
        assertThat(call(shop, "claim", "resource", "key:deploy").status())
                .as("of no project at all")
                .isEqualTo(403);
        assertThat(call(shop, "get_events").status()).isEqualTo(403);
        assertThat(createTask(shop, Map.of("open_review", Map.of("step", "one", "intent", "x", "project", "other")))
                        .status())
                .as("the broker would do it in its place")
                .isEqualTo(403);
        assertThat(createTask(shop, Map.of("close_work", Map.of("id", "hf-notyet")))
                        .status())
                .as("what is made later may be of another")
                .isEqualTo(404);
        for (String door : List.of("/", "/reviews", "/metrics", "/api/v1/events", "/ui/live")) {
            assertThat(get(shop, door).status()).as(door).isEqualTo(403);
        }
    }

    @Test
    void however_an_address_is_written_it_opens_to_nobody_else() throws Exception {
        String shop = create("shop-reader", Role.VIEWER, "projects", List.of("shop"));
        for (String written : List.of(
                "/api/v1/events/?after=0",
                "/api/v1/events//?after=0",
                "/api/v1/events;a=b?after=0",
                "/api/v1/%65vents?after=0",
                "/api/v1//events?after=0",
                "/api/v1/x/../events?after=0",
                "/API/v1/events?after=0",
                "/ui/live/",
                "/reviews/",
                "/metrics/")) {
            var answer = stream(written, "Authorization", "Bearer " + shop);
            answer.body().close();
            assertThat(answer.statusCode()).as(written).isIn(400, 403, 404);
        }
        String cookie = signedIn(token(Role.WORKER));
        for (String written : List.of("/work/mcp", "/work/mcp/", "/mcp/", "/mcp/all/", "/api/v1/openapi.json/")) {
            assertThat(browse(written, cookie).status()).as(written).isEqualTo(401);
        }
        assertThat(get(token(Role.VIEWER), "/reviews/").status())
                .as("the same page, to whoever may see it")
                .isEqualTo(200);
        assertThat(get(null, "/healthz/").status()).isEqualTo(200);
    }

    private Reply get(@Nullable String token, String path) {
        var request = java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + path))
                .GET();
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return user.send(request).join();
    }

    @Test
    void a_rotated_token_keeps_everything_but_its_secret_and_the_former_one_ends_when_it_should() {
        String first = create("rotated", Role.VIEWER);
        Reply second = user.call("rotate_token", "token", "rotated", "grace_seconds", 3_600);
        assertThat(second.text("token")).isNotEqualTo(first).startsWith("hf_" + second.text("id") + "_");
        assertThat(first).startsWith("hf_" + second.text("id") + "_");
        assertThat(call(first, "who").status()).as("in its grace").isEqualTo(200);
        assertThat(call(second.text("token"), "who").status()).isEqualTo(200);
        Reply third = user.call("rotate_token", "token", second.text("id"));
        assertThat(call(first, "who").status()).isEqualTo(401);
        assertThat(call(second.text("token"), "who").status()).isEqualTo(401);
        assertThat(call(third.text("token"), "who").status()).isEqualTo(200);
        assertThat(user.call("rotate_token", "token", "nobody").status()).isEqualTo(404);
    }

    @Test
    void tokens_are_listed_without_their_secrets_and_events_do_not_have_them_either() {
        String secret = create("listed", Role.VIEWER, "projects", List.of("Shop"));
        call(secret, "list_work");
        Reply list = user.call("list_tokens", "all", true);
        assertThat(list.raw().body()).doesNotContain(secret.substring(13));
        assertThat(list.body().path("tokens"))
                .anySatisfy(token -> {
                    assertThat(token.path("name").asString()).isEqualTo("listed");
                    assertThat(token.path("projects").get(0).asString()).isEqualTo("shop");
                    assertThat(token.path("last_used_at").asString()).isNotEmpty();
                })
                .anySatisfy(token -> assertThat(token.path("state").asString()).isEqualTo("expired"))
                .anySatisfy(token -> assertThat(token.path("state").asString()).isEqualTo("revoked"));
        String id = secret.substring(3, 11);
        Reply events = user.call("get_events", "resource", "token:" + id);
        assertThat(events.raw().body()).contains("token_created").doesNotContain(secret.substring(13));
        assertThat(user.call("create_token", "name", "listed", "roles", List.of("viewer"))
                        .status())
                .isEqualTo(409);
        assertThat(user.call("create_token", "name", "ab/c", "roles", List.of("viewer"))
                        .status())
                .isEqualTo(400);
        assertThat(user.call("create_token", "name", "fine", "roles", List.of("king"))
                        .status())
                .isEqualTo(400);
        assertThat(user.call("create_token", "name", "fine", "roles", List.of("admin"), "projects", List.of("shop"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_hook_with_a_token_starts_sessions_of_its_holder_and_touches_no_others() {
        String hooks = create("hooks", Role.WORKER);
        String answer = hook(hooks, "SessionStart", "hooked").raw().body();
        assertThat(answer).contains("your agent id is claude-").doesNotContain("subagent");
        String agent = answer.replaceAll("(?s).*your agent id is (claude-[0-9a-f]+).*", "$1");
        assertThat(call(hooks, "claim", "resource", "key:hooked", "holder", agent)
                        .status())
                .isEqualTo(200);
        assertThat(hook(token(Role.WORKER), "SessionEnd", "hooked").raw().body())
                .isEqualTo("{}");
        assertThat(hook(token(Role.VIEWER), "SessionStart", "another").raw().body())
                .isEqualTo("{}");
        assertThat(call(hooks, "who", "holder", agent).raw().body()).contains("key:hooked");
        assertThat(call(tokens.get(Role.WORKER), "claim", "resource", "key:x", "holder", agent)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_hook_reaches_no_session_of_another_token_by_an_id_that_reads_like_a_subagents() {
        String hal = create("hal", Role.WORKER);
        String agent = call(hal, "start_session", "session_id", "hals/one", "kind", "claude")
                .text("holder");
        String ida = create("ida", Role.WORKER);
        Map<String, Object> used =
                Map.of("hook_event_name", "PostToolUse", "session_id", "hals", "agent_id", "one", "tool_name", "Bash");
        long generation =
                call(hal, "claim", "resource", "key:hals", "holder", agent).generation();
        call(
                token(Role.ADMIN),
                "take_back",
                "resource",
                "key:hals",
                "claim_generation",
                generation,
                "by",
                "the-admin",
                "reason",
                "hush");
        assertThat(post(ida, "/hooks/claude", used, "X-Forwarded-For", "203.0.113.1"))
                .as("what hal has lost is not told to ida")
                .isEqualTo("{}");
        assertThat(post(hal, "/hooks/claude", used, "X-Forwarded-For", "203.0.113.1"))
                .contains("key:hals");
    }

    @Test
    void whoever_calls_from_another_machine_names_no_folder_of_this_one(@TempDir Path folder) throws Exception {
        String far = create("far-away", Role.WORKER);
        Path secret = folder.toRealPath().resolve("hidden-vault");
        assertThat(new ProcessBuilder("git", "init", "-q", secret.toString())
                        .start()
                        .waitFor())
                .isZero();
        String[] afar = {"X-Forwarded-For", "203.0.113.1"};
        Map<String, Object> start =
                Map.of("hook_event_name", "SessionStart", "session_id", "from-afar", "cwd", secret.toString());
        assertThat(post(far, "/hooks/claude", start, afar))
                .contains("your agent id")
                .doesNotContain("hidden-vault");
        Map<String, Object> writing = Map.of(
                "hook_event_name",
                "PreToolUse",
                "session_id",
                "from-afar",
                "tool_name",
                "Write",
                "tool_input",
                Map.of("file_path", secret.resolve("a.txt").toString()));
        post(far, "/hooks/claude?guard=paths", writing, afar);
        String header = "name=hidden-vault&folder=" + URLEncoder.encode(secret.toString(), StandardCharsets.UTF_8);
        post(far, "/api/v1/list_work", Map.of(), afar[0], afar[1], "Holdfast-Repository", header);
        assertThat(checked("six")).doesNotContain(secret.toString());
        post(far, "/api/v1/list_work", Map.of(), "Holdfast-Repository", header);
        assertThat(checked("seven")).as("whoever is here does").contains(secret.toString());
    }

    /** What a check of a diff against the folder of the project hidden-vault says. */
    private String checked(String word) {
        return user.call(
                        "create_review",
                        "intent",
                        "a look",
                        "project",
                        "hidden-vault",
                        "diff",
                        DIFF.replace("two", word),
                        "base",
                        "0123456789012345678901234567890123456789")
                .raw()
                .body();
    }

    private String post(String token, String path, Map<String, Object> body, String... headers) {
        var request = java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(body)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return user.send(request).join().raw().body();
    }

    private String token(Role role) {
        return Objects.requireNonNull(tokens.get(role));
    }

    private Reply hook(String token, String event, String session) {
        return user.send(java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + "/hooks/claude"))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + token)
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(
                                Map.of("hook_event_name", event, "session_id", session, "cwd", "/")))))
                .join();
    }

    @Test
    void a_browser_signs_in_with_its_token_and_keeps_a_session_which_opens_pages_and_nothing_else() {
        String viewer = token(Role.VIEWER);
        String cookie = signedIn(viewer);
        assertThat(cookie).doesNotContain(viewer);
        assertThat(browse("/", cookie).raw().body()).contains("the-viewer");
        assertThat(browse("/", "holdfast_session=hfp_nothing").status()).isEqualTo(401);
        assertThat(browse("/", "holdfast_session=" + viewer).status()).isEqualTo(401);
        assertThat(browse("/api/v1/openapi.json", cookie).status()).isEqualTo(401);
        assertThat(get(cookie.replace("holdfast_session=", ""), "/api/v1/openapi.json")
                        .status())
                .isEqualTo(401);
        var kept = SignIn.cookie("hfp_x", true);
        assertThat(kept.isHttpOnly()).isTrue();
        assertThat(kept.isSecure()).isTrue();
        assertThat(kept.getSameSite()).isEqualTo(org.eclipse.jetty.http.HttpCookie.SameSite.STRICT);
    }

    @Test
    void a_session_ends_with_the_secret_that_it_was_made_from() {
        String first = create("browsing", Role.VIEWER);
        String cookie = signedIn(first);
        user.call("rotate_token", "token", "browsing", "grace_seconds", 3_600);
        assertThat(browse("/", cookie).status()).as("in its grace").isEqualTo(200);
        user.call("rotate_token", "token", "browsing");
        assertThat(browse("/", cookie).status()).isEqualTo(401);
    }

    /** What a browser keeps that has handed in this token. */
    private String signedIn(String token) {
        return user.send(java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + "/sign-in"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString("token=" + token)))
                .join()
                .raw()
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .replaceAll(";.*", "");
    }

    private Reply browse(String path, String cookie) {
        return user.send(java.net.http.HttpRequest.newBuilder(URI.create(broker.url() + path))
                        .header("Cookie", cookie)
                        .GET())
                .join();
    }
}
