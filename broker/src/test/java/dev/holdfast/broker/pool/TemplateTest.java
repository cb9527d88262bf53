package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The file that tells reviewers what to do, in the hands of its user, while a broker runs. */
class TemplateTest extends OnAPool {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    Settings store() {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }

    /** Reviewers that write down what they are told. */
    private void startWith(Path file) {
        template = file;
        start(List.of("sh", "-c", "cat >'" + folder + "/told'; sleep 100000"));
    }

    private String heldBack() {
        return caller.call("list_reviewers").body().path("held_back").asString("");
    }

    private String prompt() throws IOException {
        Path prompt = folder.resolve("told");
        return Files.exists(prompt) ? Files.readString(prompt) : "";
    }

    @Test
    void one_that_is_missing_stops_spawning_and_not_the_broker_until_it_is_there() throws IOException {
        Path file = folder.resolve("prompt.md");
        startWith(file);
        assertThat(heldBack()).isEqualTo("prompt_template_path: " + file + ": no such file");
        create("shop");
        Reply spawned = caller.call("spawn_reviewer");
        assertThat(spawned.text("code")).isEqualTo("bad_state");
        assertThat(spawned.text("error")).startsWith("Failed to spawn reviewer: prompt_template_path: " + file);
        assertThat(reviewers()).isEmpty();

        Files.writeString(file, "You are {reviewer_id}, first.");
        await().atMost(PATIENCE).until(() -> prompt().contains(", first."));
        assertThat(heldBack()).isEmpty();
    }

    @Test
    void it_is_read_for_every_reviewer_and_one_that_is_broken_meanwhile_stops_only_spawning() throws IOException {
        Path file = Files.writeString(folder.resolve("prompt.md"), "You are {reviewer_id}, first.");
        startWith(file);
        String review = create("shop");
        await().atMost(PATIENCE).until(() -> prompt().contains(", first."));
        assertThat(prompt())
                .startsWith("You are " + reviewers().getFirst().path("id").asString() + ", first.");

        Files.writeString(file, "You are {reviewer}.");
        assertThat(heldBack()).contains("no such placeholder {reviewer};");
        assertThat(caller.call("spawn_reviewer").text("error")).contains("no such placeholder {reviewer}");
        assertThat(reviewers("active")).as("who is there goes on").hasSize(1);
        assertThat(status(review)).isEqualTo("pending");

        Files.writeString(file, "You are {reviewer_id}, second.");
        assertThat(heldBack()).isEmpty();
        assertThat(caller.call("spawn_reviewer").status()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> prompt().contains(", second."));
    }

    @Test
    void a_reviewer_can_call_what_the_predecessors_template_names_and_is_told_that_it_may_not_close() throws Exception {
        start(ScriptedReviewer.command("claim-and-sleep", folder));
        String claimed = create("shop");
        await().atMost(PATIENCE).until(() -> status(claimed).equals("claimed"));
        String id = reviewers("active").getFirst().path("id").asString();
        Path copy = folder.resolve("copy-of-" + id);
        await().until(() -> Files.exists(copy) && Files.readAllLines(copy).size() == 3);
        String token = Files.readAllLines(copy).getFirst();
        String review = create("shop");

        assertThat(as(token, "list_reviews", Map.of("status", "pending")).body().toString())
                .contains(review);
        Reply claim = as(token, "claim_review", Map.of("review_id", review, "reviewer_id", id));
        assertThat(claim.status()).isEqualTo(200);
        assertThat(as(token, "get_proposal", Map.of("review_id", review)).status())
                .isEqualTo(200);
        assertThat(as(token, "get_discussion", Map.of("review_id", review)).status())
                .isEqualTo(200);
        Map<String, Object> message = Map.of("review_id", review, "sender_role", "reviewer", "body", "why a cache?");
        assertThat(as(token, "add_message", message).status()).isEqualTo(200);
        Map<String, Object> verdict =
                Map.of("review_id", review, "verdict", "approved", "claim_generation", claim.generation());
        assertThat(as(token, "submit_verdict", verdict).text("status")).isEqualTo("approved");
        Reply closed = as(token, "close_review", Map.of("review_id", review, "closer_role", "reviewer"));
        assertThat(closed.text("error"))
                .isEqualTo(id + " is a reviewer of the broker's pool and may not call close_review");
        assertThat(status(review)).isEqualTo("approved");
    }

    private Reply as(String token, String verb, Map<String, Object> arguments) {
        return caller.send(caller.post(verb, JsonMapper.shared().writeValueAsString(arguments))
                        .header("Authorization", "Bearer " + token))
                .join();
    }
}
