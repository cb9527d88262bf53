package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.token.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Secrets of tokens: where they are kept, how they are replaced, and what ends with them. */
abstract class TokenSecretsContract extends TeamClient {
    TokenSecretsContract(TeamBroker team) {
        super(team);
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
    void who_waits_in_vain_with_a_token_that_is_revoked_meanwhile_is_not_told_who_has_it() throws Exception {
        String late = create("late-in-vain", Role.WORKER);
        user.call("claim", "resource", "key:kept-meanwhile", "holder", "first");
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(
                () -> call(late, "claim", "resource", "key:kept-meanwhile", "wait_seconds", 2));
        await().during(Duration.ofMillis(300)).until(() -> !waiting.isDone());
        user.call("revoke_token", "token", "late-in-vain");
        Reply refused = waiting.get();
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text("error"))
                .contains("the token late-in-vain was revoked")
                .doesNotContain("first");
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
                                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        }))
                        .succeedsWithin(Duration.ofSeconds(20));
            }
        }
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
}
