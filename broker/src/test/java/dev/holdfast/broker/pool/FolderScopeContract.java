package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.PoolConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What reviewers are bound to, the folder that they read, with reviewers that are programs of their own. */
abstract class FolderScopeContract extends OnAPool {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path elsewhere;

    @Test
    void three_reviews_of_three_projects_that_share_the_workspace_start_one_reviewer_for_all() throws Exception {
        start(ScriptedReviewer.command("approve", folder));
        List<String> reviews = List.of(create("shop"), create("bank"), create("web site"));
        await().atMost(PATIENCE)
                .until(() -> reviews.stream().allMatch(review -> status(review).equals("approved")));
        assertThat(reviewers()).hasSize(1);
        assertThat(reviewers().getFirst().path("project_scope").isNull()).isTrue();
        assertThat(reviewers().getFirst().path("folder_scope").asString())
                .isEqualTo(workspace.toRealPath().toString());
        assertThat(reviewers().getFirst().path("reviews_completed").asInt()).isEqualTo(3);
    }

    @Test
    void with_scope_project_each_project_has_a_reviewer_of_its_own() {
        scope = PoolConfig.Scope.PROJECT;
        start(ScriptedReviewer.command("approve", folder));
        List<String> reviews = List.of(create("shop"), create("bank"), create("web site"));
        await().atMost(PATIENCE)
                .until(() -> reviews.stream().allMatch(review -> status(review).equals("approved")));
        assertThat(reviewers())
                .extracting(one -> one.path("project_scope").asString())
                .containsExactlyInAnyOrder("shop", "bank", "web site");
        assertThat(reviewers())
                .allMatch(one -> one.path("folder_scope").isNull()
                        && one.path("reviews_completed").asInt() == 1);
    }

    @Test
    void projects_whose_folder_is_one_and_the_same_by_a_link_share_a_reviewer() throws Exception {
        Path real = Files.createDirectory(elsewhere.resolve("mono"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), real);
        projects = Map.of("front", real.toString(), "back", link.toString());
        start(ScriptedReviewer.command("approve", folder));
        List<String> reviews = List.of(create("front"), create("back"));
        await().atMost(PATIENCE)
                .until(() -> reviews.stream().allMatch(review -> status(review).equals("approved")));
        assertThat(reviewers())
                .extracting(one -> one.path("folder_scope").asString())
                .containsExactly(real.toRealPath().toString());
    }

    @Test
    void a_project_with_a_folder_of_its_own_has_its_own_reviewer_and_is_out_of_reach_for_the_others() throws Exception {
        Path bank = Files.createDirectory(workspace.resolve("bank"));
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String shops = create("shop");
        String banks = create("bank");
        await().atMost(PATIENCE)
                .until(() -> status(shops).equals("claimed") && status(banks).equals("claimed"));
        assertThat(claimer(shops).path("folder_scope").asString())
                .isEqualTo(workspace.toRealPath().toString());
        assertThat(claimer(banks).path("folder_scope").asString())
                .isEqualTo(bank.toRealPath().toString());

        String token = token(claimer(shops));
        Reply byName = as(token, "claim_review", Map.of("review_id", banks));
        assertThat(byName.text("code")).isEqualTo("forbidden");
        assertThat(byName.text("error")).contains("cannot claim review project 'bank', whose files are elsewhere");
        assertThat(as(token, "claim_next_review", Map.of("project", "bank")).text("code"))
                .isEqualTo("forbidden");
    }

    @Test
    void a_project_that_gets_a_folder_while_a_reviewer_lives_is_out_of_its_reach_and_gets_another() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String before = create("shop");
        await().atMost(PATIENCE).until(() -> status(before).equals("claimed"));
        JsonNode first = claimer(before);
        String token = token(first);
        Path shop = Files.createDirectory(workspace.resolve("Shop"));
        String after = create("shop");
        assertThat(as(token, "claim_review", Map.of("review_id", after)).text("code"))
                .isEqualTo("forbidden");
        assertThat(as(token, "claim_next_review", Map.of())
                        .body()
                        .path("review_id")
                        .asString(before))
                .isEqualTo(before); // what it was given, and nothing new
        await().atMost(PATIENCE).until(() -> status(after).equals("claimed"));
        assertThat(claimer(after).path("id").asString())
                .isNotEqualTo(first.path("id").asString());
        assertThat(claimer(after).path("folder_scope").asString())
                .isEqualTo(shop.toRealPath().toString());
        assertThat(claimer(after).path("workspace_path").asString()).isEqualTo(shop.toString());
    }

    private JsonNode claimer(String review) {
        String id = caller.call("get_review_status", "review_id", review).text("claimed_by");
        return reviewers().stream()
                .filter(one -> one.path("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private String token(JsonNode reviewer) throws IOException {
        Path copy = folder.resolve("copy-of-" + reviewer.path("id").asString());
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        return Files.readAllLines(copy).getFirst();
    }

    private Reply as(String token, String verb, Map<String, Object> arguments) {
        return caller.send(caller.post(verb, JsonMapper.shared().writeValueAsString(arguments))
                        .header("Authorization", "Bearer " + token))
                .join();
    }
}
