package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.token.Role;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is proposed or held with a token, which others leave alone. */
abstract class TokenBelongingsContract extends TeamClient {
    TokenBelongingsContract(TeamBroker team) {
        super(team);
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
        String others = createReview(both, "shop", DIFF.replace("two", "four"));
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
        String review = createReview(proposer, "shop", DIFF.replace("two", "five"));
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
        String task = createTask(token(Role.ADMIN), "namespace", "daves").text("task_id");
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

    @Test
    void an_import_lets_nobody_hold_anything_in_the_name_of_a_token() {
        create("ivy", Role.WORKER);
        String line = "{\"id\":\"bd-%s\",\"title\":\"x\",\"status\":\"in_progress\",\"assignee\":\"%s\"}\n";
        Reply imported = user.call(
                "import_work",
                "lines",
                line.formatted("ivy", "ivy") + line.formatted("ivys", "Ivy/1") + line.formatted("free", "nobodys"));
        assertThat(imported.body().path("created").asInt()).isEqualTo(3);
        assertThat(imported.body().path("problems").findValuesAsString("problem"))
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).contains("is a name of a token"));
        assertThat(user.call("get_work", "id", "bd-ivy").text("status")).isEqualTo("open");
        assertThat(user.call("get_work", "id", "bd-ivys").text("status")).isEqualTo("open");
        assertThat(user.call("get_work", "id", "bd-free").text("holder")).isEqualTo("nobodys");
        Map<String, Object> review = Map.of(
                "id", "imported-ivy",
                "status", "claimed",
                "intent", "x",
                "agent_type", "a",
                "agent_role", "proposer",
                "phase", "1",
                "round", 1,
                "claimed_by", "ivy",
                "created_at", "2026-01-01T00:00:00Z",
                "updated_at", "2026-01-01T00:00:00Z");
        Reply reviews = user.call("import_reviews", "reviews", List.of(review));
        assertThat(reviews.body().path("refused").asInt())
                .as(reviews.body().toString())
                .isEqualTo(1);
        assertThat(user.call("who", "holder", "ivy").raw().body()).doesNotContain("bd-ivy", "imported-ivy");
    }

    /** Whichever verb takes a generation: it is no secret, and proves nothing by itself. */
    @Test
    void a_generation_alone_moves_no_claim_of_a_tokens() {
        String gina = create("gina", Role.ADMIN);
        String item = createWork(gina);
        long generation = call(gina, "claim_work", "id", item).generation();
        String review = createReview(gina, "shop", DIFF.replace("two", "g"));
        String judge = create("gil", Role.REVIEWER);
        assertThat(call(judge, "claim_review", "review_id", review).status()).isEqualTo(200);
        String task = createTask(gina, "namespace", "ginas", "finalizer", "external", "policy", "fail_fast")
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
}
