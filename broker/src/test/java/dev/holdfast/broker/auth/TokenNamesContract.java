package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.token.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names that a token may act under, and nobody else. */
abstract class TokenNamesContract extends TeamClient {
    TokenNamesContract(TeamBroker team) {
        super(team);
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
                "er\u0131n/build",
                "\u1d07\u0280\u026a\u0274",
                "er\u0406n",
                "erin\u2215build")) {
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
                        roles,
                        "on_finish",
                        Map.of("open_review", Map.of("step", "one", "intent", "mine", "project", "shop")))
                .text("task_id");
        for (String alike : List.of("Hatter", "hatter\u200b", "HATTER/a", "h\u0430tter")) {
            assertThat(call(roles, "claim_step", "step_id", task + ".one", "holder", alike)
                            .status())
                    .as(alike)
                    .isEqualTo(403);
        }
        completeStep(roles, task, "hatter/a", Map.of("diff", DIFF.replace("two", "hat")));
        await().until(() ->
                user.call("get_review_status", "review_id", "task-" + task).status() == 200);
        assertThat(call(roles, "claim_review", "review_id", "task-" + task, "reviewer_id", "hatter")
                        .status())
                .isEqualTo(403);
    }
}
