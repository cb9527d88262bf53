package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.VerbArguments;
import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.token.Role;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tokens that are limited to some projects: for them, there are no others. */
abstract class TokenProjectsContract extends TeamClient {
    TokenProjectsContract(TeamBroker team) {
        super(team);
    }

    /** A project in which everything is called hush, and a token of another that asks for all of it. */
    @Test
    void a_token_of_one_project_learns_nothing_of_another() {
        String keeper = create("hush-keeper", Role.ADMIN);
        String item = createWork(keeper, "queue", "hush", "id", "hush-1a2b");
        createWork(keeper, "queue", "hush", "id", "hush-1a2c");
        call(keeper, "claim_work", "id", item, "paths", List.of("hush.txt"), "repository", "hush");
        String review = createReview(keeper, "hush", DIFF.replace("two", "h"));
        String judge = create("hush-judge", Role.REVIEWER);
        call(judge, "claim_review", "review_id", review);
        String task = createTask(keeper, "namespace", "hush").text("task_id");
        call(keeper, "claim_step", "step_id", task + ".one");
        call(keeper, "claim", "resource", "key:hush");
        Map<Kind, String> theirs = new EnumMap<>(
                Map.of(Kind.WORK, item, Kind.REVIEW, review, Kind.STEP, task + ".one", Kind.FINALIZATION, task));
        for (Role role : List.of(Role.WORKER, Role.REVIEWER, Role.PROPOSER, Role.PROCESSOR)) {
            String shop = create("nosy-" + role, role, "projects", List.of("shop"));
            for (Verb verb : broker.verbs()) {
                if (!mayCall(role, verb)) {
                    continue;
                }
                for (boolean whole : List.of(true, false)) {
                    for (Kind kind : theirs.keySet()) {
                        Map<String, Object> asked = arguments(verb, "nosy-" + role);
                        asked.keySet().removeAll(VerbArguments.PROJECTS);
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

    /** Whatever a call names, and whichever of its arguments does. */
    @Test
    void what_is_of_another_project_and_what_does_not_exist_are_answered_alike_by_every_verb() {
        String keeper = token(Role.ADMIN);
        String task = createTask(keeper, "namespace", "foreign").text("task_id");
        String none = "00000000-0000-4000-8000-000000000000";
        Map<Kind, String> foreign = Map.of(
                Kind.WORK,
                createWork(keeper, "queue", "foreign", "id", "hf-foreign"),
                Kind.REVIEW,
                createReview(keeper, "foreign", DIFF.replace("two", "foreign")),
                Kind.FINALIZATION,
                task,
                Kind.STEP,
                task + ".one");
        Map<Kind, String> missing =
                Map.of(Kind.WORK, "hf-missing", Kind.REVIEW, none, Kind.FINALIZATION, none, Kind.STEP, none + ".one");
        int tried = 0;
        for (Role role : List.of(Role.WORKER, Role.REVIEWER, Role.PROPOSER, Role.PROCESSOR, Role.VIEWER)) {
            String shop = create("curious-" + role, role, "projects", List.of("shop"));
            for (Verb verb : broker.verbs()) {
                for (Property field : verb.arguments()) {
                    for (Kind kind : named(field)) {
                        if (!mayCall(role, verb)) {
                            continue;
                        }
                        Reply theirs = ask(shop, "curious-" + role, verb, field, kind, foreign);
                        Reply nobodys = ask(shop, "curious-" + role, verb, field, kind, missing);
                        String what = role + " " + verb.name() + " " + field.name() + " " + kind;
                        assertThat(theirs.status())
                                .as(what + " " + theirs.body())
                                .isBetween(400, 499);
                        assertThat(theirs.raw().body().replace(foreign.get(kind), "it"))
                                .as(what)
                                .isEqualTo(nobodys.raw().body().replace(missing.get(kind), "it"));
                        tried++;
                    }
                }
            }
        }
        assertThat(tried).isGreaterThan(100);
    }

    /** The kinds that this argument can name by an id. */
    private static List<Kind> named(Property field) {
        Kind kind = field.idOf();
        return kind != null
                ? List.of(kind)
                : field.name().equals("resource")
                        ? List.of(Kind.WORK, Kind.REVIEW, Kind.FINALIZATION, Kind.STEP)
                        : List.of();
    }

    private Reply ask(String token, String actor, Verb verb, Property field, Kind kind, Map<Kind, String> ids) {
        Map<String, Object> asked = arguments(verb, actor);
        asked.keySet().removeAll(VerbArguments.PROJECTS);
        String id = ids.get(kind);
        asked.put(
                field.name(),
                field.name().equals("resource")
                        ? kind + ":" + id
                        : field.type() == Property.Type.TEXTS ? List.of(id) : id);
        return send(token, verb.name(), asked);
    }

    @Test
    void a_token_of_one_project_cannot_find_out_which_ids_others_have() {
        String shop = create("shop-chooser", Role.WORKER, "projects", List.of("shop"));
        createWork(token(Role.ADMIN), "queue", "foreign", "id", "hf-taken");
        createWork(token(Role.ADMIN), "queue", "foreign", "id", "hf-own");
        createWork(token(Role.ADMIN), "queue", "shop", "id", "hf-own-1");
        Reply taken = call(shop, "create_work", "title", "x", "id", "hf-taken");
        Reply free = call(shop, "create_work", "title", "x", "id", "hf-free");
        assertThat(taken.status()).isEqualTo(403);
        assertThat(taken.text("error")).contains("leave id out").isEqualTo(free.text("error"));
        assertThat(call(shop, "get_work", "id", "hf-own").text("id"))
                .as("the beginning of its own, although another project has exactly this")
                .isEqualTo("hf-own-1");
    }

    @Test
    void a_token_of_one_project_sees_that_its_items_wait_for_others_but_not_for_which() {
        String shop = create("shop-waiter", Role.WORKER, "projects", List.of("shop"));
        createWork(token(Role.ADMIN), "queue", "foreign", "id", "hush-first");
        String item = createWork(
                token(Role.ADMIN),
                "id",
                "shop-waits",
                "queue",
                "shop",
                "parent",
                "hush-first",
                "depends_on",
                List.of("hush-first"));
        user.call("add_dependency", "id", item, "depends_on", "hush-first", "type", "related");
        user.call("import_work", "lines", "{\"_type\":\"memory\",\"key\":\"hush-memory\",\"value\":\"x\"}");
        for (Reply reply : List.of(
                call(shop, "get_work", "id", item),
                call(shop, "list_work", "status", "blocked", "limit", 1_000),
                call(shop, "blocked_work", "limit", 1_000),
                call(shop, "update_work", "id", item, "title", "renamed"),
                call(shop, "get_events", "resource", "work:" + item),
                call(shop, "export_work", "limit", 1_000))) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.raw().body()).contains(item).doesNotContain("hush-");
        }
        for (Reply reply : List.of(
                call(shop, "claim_work", "id", item),
                call(shop, "claim", "resource", "work:" + item),
                call(shop, "export_work", "cursor", "+"))) {
            assertThat(reply.raw().body()).doesNotContain("hush-");
        }
        assertThat(call(shop, "get_work", "id", item).text("status")).isEqualTo("blocked");
        assertThat(user.call("get_work", "id", item).raw().body()).contains("hush-first");
        assertThat(user.call("export_work", "cursor", "+").raw().body()).contains("hush-memory");
    }

    @Test
    void a_token_of_one_project_is_not_told_that_another_has_approved_the_same_change() {
        String diff = DIFF.replace("two", "approved-elsewhere");
        String review = createReview(token(Role.ADMIN), "foreign", diff);
        long generation = call(token(Role.REVIEWER), "claim_review", "review_id", review, "reviewer_id", "the-reviewer")
                .generation();
        call(token(Role.REVIEWER), "get_proposal", "review_id", review, "caller_id", "the-reviewer");
        Reply verdict = call(
                token(Role.REVIEWER),
                "submit_verdict",
                "review_id",
                review,
                "verdict",
                "approved",
                "reason",
                "fine",
                "reviewer_id",
                "the-reviewer",
                "claim_generation",
                generation);
        assertThat(verdict.status()).as(verdict.body().toString()).isEqualTo(200);
        String shop = create("shop-gate", Role.VIEWER, "projects", List.of("shop"));
        assertThat(user.call("check_approval", "project", "shop", "diff", diff)
                        .raw()
                        .body())
                .contains(review);
        assertThat(call(shop, "check_approval", "project", "shop", "diff", diff)
                        .raw()
                        .body())
                .doesNotContain(review)
                .doesNotContain("foreign");
    }

    @Test
    void what_a_token_of_one_project_makes_or_takes_is_of_that_project_whatever_else_the_call_names() {
        String shop = create("shop-maker", Role.WORKER, "projects", List.of("shop"));
        user.call("create_work", "title", "urgent elsewhere", "queue", "", "priority", 0);
        String parent = createWork(shop);
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
        Reply task = createTask(shop, "namespace", " ");
        assertThat(user.call("get_task", "task_id", task.text("task_id")).text("namespace"))
                .isEqualTo("shop");
        assertThat(call(shop, "update_work", "id", parent, "queue", " ").status())
                .isEqualTo(403);
    }

    @Test
    void a_token_of_one_project_moves_nothing_out_of_it() {
        String shop = create("shop-keeper", Role.WORKER, "projects", List.of("shop"));
        String item = createWork(shop);
        assertThat(call(shop, "update_work", "id", item, "queue", "").status()).isEqualTo(403);
        assertThat(call(shop, "update_work", "id", item, "queue", "other").status())
                .isEqualTo(403);
        assertThat(call(shop, "update_work", "id", item, "title", "renamed").status())
                .isEqualTo(200);
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
        assertThat(createTask(
                                shop,
                                "on_finish",
                                Map.of("open_review", Map.of("step", "one", "intent", "x", "project", "other")))
                        .status())
                .as("the broker would do it in its place")
                .isEqualTo(403);
        assertThat(createTask(shop, "on_finish", Map.of("close_work", Map.of("id", "hf-notyet")))
                        .status())
                .as("what is made later may be of another")
                .isEqualTo(404);
        for (String door : List.of("/", "/reviews", "/metrics", "/api/v1/events", "/ui/live")) {
            assertThat(get(shop, door).status()).as(door).isEqualTo(403);
        }
    }

    @Test
    void a_token_of_one_project_neither_learns_of_another_repository_nor_makes_one_known() {
        String keeper = create("vault-keeper", Role.WORKER);
        assertThat(repository(keeper, "vault", "a")).isEqualTo("vault");
        for (Role role : List.of(Role.WORKER, Role.VIEWER)) {
            String shop = create("outside-" + role, role, "projects", List.of("shop"));
            for (String name : List.of("vault", "cellar")) {
                Reply reply = listFrom(shop, name, "b");
                assertThat(reply.text("error"))
                        .isEqualTo("the token outside-" + role + " is limited to shop, and the project " + name
                                + " is not one of them");
                assertThat(reply.raw().headers().map())
                        .as("nothing says whether there is one")
                        .doesNotContainKey("holdfast-notice");
                assertThat(reply.raw().headers().firstValue("Holdfast-Repository"))
                        .hasValue(name);
                assertThat(answer(
                                shop,
                                "/mcp/all",
                                Map.of(
                                        "jsonrpc",
                                        "2.0",
                                        "id",
                                        1,
                                        "method",
                                        "initialize",
                                        "params",
                                        Map.of("protocolVersion", "2025-11-25")),
                                "Holdfast-Repository",
                                from(name, "c")))
                        .contains("known here as " + name + ":");
            }
        }
        assertThat(repository(keeper, "cellar", "d"))
                .as("nobody has taken its name")
                .isEqualTo("cellar");
        assertThat(repository(create("shop-reporter", Role.WORKER, "projects", List.of("shop")), "shop", "e"))
                .as("its own is told and recorded")
                .isEqualTo("shop");
        assertThat(repository(keeper, "shop", "f")).isEqualTo("shopffff");
    }

    @Test
    void a_token_of_one_project_cannot_find_out_which_names_others_have() {
        String keeper = create("quiet", Role.WORKER, "projects", List.of("hush"));
        String theirs = call(keeper, "start_session", "session_id", "quiet-session", "kind", "claude")
                .text("holder");
        String shop = create("prying", Role.WORKER, "projects", List.of("shop"));
        for (String name : List.of(theirs, "quiet", "quiet/build", "free")) {
            Reply reply = call(shop, "start_session", "session_id", "prying-1", "kind", "claude", "name", name);
            assertThat(reply.text("error"))
                    .startsWith("this is the token of prying, which cannot act as " + name + "; its names are prying");
        }
        Reply own = call(shop, "start_session", "session_id", "prying-2", "kind", "claude", "name", "prying/build");
        assertThat(own.text("holder")).startsWith("prying/build");
        assertThat(call(shop, "end_session", "session_id", "prying-2", "session_key", own.text("session_key"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whoever_may_only_read_makes_no_repository_known() {
        assertThat(repository(token(Role.VIEWER), "attic", "a")).isEqualTo("attic");
        assertThat(repository(token(Role.WORKER), "attic", "b"))
                .as("nobody has taken its name")
                .isEqualTo("attic");
        assertThat(repository(token(Role.WORKER), "attic", "c")).isEqualTo("atticcccc");
        assertThat(repository(token(Role.VIEWER), "attic", "c"))
                .as("as others know it")
                .isEqualTo("atticcccc");
    }

    private String repository(String token, String name, String commit) {
        return listFrom(token, name, commit)
                .raw()
                .headers()
                .firstValue("Holdfast-Repository")
                .orElse("");
    }

    private Reply listFrom(String token, String name, String commit) {
        return user.send(post(token, "/api/v1/list_work", Map.of()).header("Holdfast-Repository", from(name, commit)))
                .join();
    }

    /** What a client says that is in a clone of the repository which begins with this commit. */
    private static String from(String name, String commit) {
        return "name=" + name + "&root=" + commit.repeat(40) + "&folder=/home/" + commit + "/" + name;
    }
}
