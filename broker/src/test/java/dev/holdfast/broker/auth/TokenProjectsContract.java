package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Caller.Reply;
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
}
