package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ClaudeTest {
    private final Launch launch = new Claude("claude", Set.of())
            .launch(LaunchSpecs.withModel(LaunchSpecs.in(Path.of("/work")), "sonnet", "low"));

    @Test
    void knows_no_other_server_than_the_broker_and_takes_its_token_from_the_environment() {
        JsonNode servers = JsonMapper.shared().readTree(after("--mcp-config")).get("mcpServers");

        assertThat(launch.argv()).contains("--strict-mcp-config");
        assertThat(servers.propertyNames()).containsExactly("holdfast");
        assertThat(servers.at("/holdfast/type").stringValue()).isEqualTo("http");
        assertThat(servers.at("/holdfast/url").stringValue()).isEqualTo("http://127.0.0.1:8321/mcp");
        assertThat(servers.at("/holdfast/headers/Authorization").stringValue()).isEqualTo("Bearer ${HOLDFAST_TOKEN}");
    }

    @Test
    void reads_and_reviews_and_nothing_else() {
        assertThat(after("--tools")).isEqualTo("Read,Grep,Glob");
        assertThat(after("--permission-mode")).isEqualTo("dontAsk");
        assertThat(after("--allowedTools").split(","))
                .contains("mcp__holdfast__claim_next_review", "mcp__holdfast__submit_verdict")
                .allMatch(tool -> tool.startsWith("mcp__holdfast__"))
                .doesNotContain("mcp__holdfast__close_review");
    }

    @Test
    void settings_of_workspace_and_user_are_left_out() {
        assertThat(after("--setting-sources")).isEmpty();
        assertThat(launch.argv()).contains("--disable-slash-commands", "--no-session-persistence");
        assertThat(launch.environment())
                .containsEntry("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")
                .containsEntry("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    }

    /** Seen with 2.1.325: else the titles of the last commits stand in its first prompt. */
    @Test
    void what_commits_and_branches_are_called_does_not_reach_the_model() {
        assertThat(launch.environment()).containsEntry("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "1");
    }

    @Test
    void model_and_effort_are_the_seats_and_the_prompt_comes_by_standard_input() {
        assertThat(after("--model")).isEqualTo("sonnet");
        assertThat(after("--effort")).isEqualTo("low");
        assertThat(launch.argv()).startsWith("claude", "--print");
        assertThat(launch.stdin()).isEqualTo("Review what there is.");
    }

    private String after(String option) {
        return launch.argv().get(launch.argv().indexOf(option) + 1);
    }
}
