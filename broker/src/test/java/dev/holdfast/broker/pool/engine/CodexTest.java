package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Codex is told. That today's Codex understands it is shown by RealCodexTest. */
class CodexTest {
    private static final Path WORKSPACE = Path.of("/work/shop");

    private final ReviewerEngine here = new Codex("codex", Map.of(), Set.of(), new Platform.Native());

    @Test
    void runs_in_a_read_only_sandbox_with_the_prompt_on_standard_input() {
        Launch launch = here.launch(LaunchSpecs.in(WORKSPACE));

        assertThat(launch.argv())
                .startsWith("codex", "exec", "--sandbox", "read-only", "--ephemeral")
                .endsWith("-");
        assertThat(launch.argv()).containsSubsequence("--model", "gpt-5.3-codex", "-C", "/work/shop");
        assertThat(launch.stdin()).isEqualTo("Review what there is.");
        assertThat(launch.folder()).isEqualTo(WORKSPACE);
    }

    @Test
    void is_given_the_broker_and_only_what_a_reviewer_needs_of_it() {
        assertThat(settings(here.launch(LaunchSpecs.in(WORKSPACE))))
                .contains(
                        "model_reasoning_effort=\"high\"",
                        "mcp_servers.holdfast.url=\"http://127.0.0.1:8321/mcp\"",
                        "mcp_servers.holdfast.bearer_token_env_var=\"HOLDFAST_TOKEN\"",
                        "mcp_servers.holdfast.required=true",
                        "mcp_servers.holdfast.tool_timeout_sec=120",
                        "mcp_servers.holdfast.default_tools_approval_mode=\"approve\"",
                        "tool_output_token_limit=200000")
                .filteredOn(setting -> setting.startsWith("mcp_servers.holdfast.enabled_tools="))
                .singleElement()
                .asString()
                .contains("claim_next_review", "submit_verdict")
                .doesNotContain("close_review", "create_review", "spawn_reviewer", "kill_reviewer");
    }

    @Test
    void nothing_in_the_workspace_or_of_the_user_steers_it() {
        Launch launch = here.launch(LaunchSpecs.in(WORKSPACE));

        assertThat(launch.argv()).contains("--ignore-user-config", "--ignore-rules", "--strict-config");
        assertThat(settings(launch))
                .contains(
                        "project_doc_max_bytes=0",
                        "skills.include_instructions=false",
                        "shell_environment_policy.inherit=\"core\"");
        assertThat(launch.argv()).containsSubsequence("--disable", "hooks", "--disable", "plugins");
    }

    @Test
    void on_windows_it_runs_inside_wsl_without_a_shell() {
        Path workspace = Path.of("C:\\Users\\me\\my $(work)");
        ReviewerEngine wsl = new Codex(
                "codex",
                Map.of(),
                Set.of("MODEL_KEY"),
                new Wsl("Ubuntu-24.04", null, null, (_, folder) -> "/drives/" + folder.replace('\\', '/')));

        Launch launch = wsl.launch(LaunchSpecs.in(workspace));

        assertThat(launch.argv()).startsWith("wsl", "-d", "Ubuntu-24.04", "--exec", "codex", "exec");
        assertThat(launch.argv()).containsSubsequence("-C", "/drives/C:/Users/me/my $(work)");
        assertThat(launch.argv()).doesNotContain("--", "bash", "sh", "-lc");
        assertThat(launch.environment())
                .containsEntry("WSLENV", "GIT_DIR/u:HOLDFAST_REVIEWER/u:HOLDFAST_TOKEN/u:MODEL_KEY/u");
        assertThat(launch.argv().subList(4, launch.argv().size()))
                .as("the same words as elsewhere, but for the path")
                .isEqualTo(replaced(
                        here.launch(LaunchSpecs.in(WORKSPACE)).argv(), "/work/shop", "/drives/C:/Users/me/my $(work)"));
    }

    @Test
    void a_workspace_inside_wsl_is_called_by_its_name_there() {
        Wsl wsl = new Wsl("Ubuntu", Path.of("C:\\work"), "/home/me/work", (_, folder) -> "asked for " + folder);

        assertThat(wsl.path(Path.of("C:\\work"))).isEqualTo("/home/me/work");
        assertThat(wsl.path(Path.of("C:\\work\\shop\\src"))).isEqualTo("/home/me/work/shop/src");
        assertThat(wsl.path(Path.of("C:\\workshop")))
                .as("no rule tells what it is called inside")
                .isEqualTo("asked for C:\\workshop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-e", "Ubuntu; calc", "$(x)", "a b"})
    void a_distribution_is_a_name(String distro) {
        assertThatThrownBy(() -> new Wsl(distro, null, null, (_, folder) -> folder))
                .hasMessageContaining("wsl_distro");
    }

    @Test
    void the_config_may_say_where_the_model_is_and_no_more() {
        ReviewerEngine elsewhere = new Codex(
                "/opt/codex",
                Map.of("model_provider", "\"mine\"", "model_providers.mine.base_url", "\"http://127.0.0.1:1/v1\""),
                Set.of(),
                new Platform.Native());

        Launch launch = elsewhere.launch(LaunchSpecs.in(WORKSPACE));

        assertThat(launch.argv().getFirst()).isEqualTo("/opt/codex");
        assertThat(settings(launch))
                .contains("model_provider=\"mine\"", "model_providers.mine.base_url=\"http://127.0.0.1:1/v1\"");
        for (String key :
                List.of("sandbox_mode", "mcp_servers.x.command", "model_x=1 -c y", "shell_environment_policy")) {
            assertThatThrownBy(() -> new Codex("codex", Map.of(key, "1"), Set.of(), new Platform.Native()))
                    .hasMessageContaining("model_provider");
        }
    }

    private static List<String> settings(Launch launch) {
        List<String> settings = new ArrayList<>();
        for (int i = 1; i < launch.argv().size(); i++) {
            if (launch.argv().get(i - 1).equals("-c")) {
                settings.add(launch.argv().get(i));
            }
        }
        return settings;
    }

    private static List<String> replaced(List<String> words, String from, String to) {
        return words.stream().map(word -> word.equals(from) ? to : word).toList();
    }
}
