package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandTest {
    @Test
    void placeholders_are_filled_from_the_seat() {
        Launch launch = new Command(
                        List.of(
                                "python3",
                                "review.py",
                                "--as={reviewer_id}",
                                "{mcp_url}",
                                "{workspace}",
                                "{model}/{reasoning_effort}",
                                "{project}"),
                        Set.of())
                .launch(LaunchSpecs.with(LaunchSpecs.in(Path.of("/work")), "shop", "r1", "prompt"));

        assertThat(launch.argv())
                .containsExactly(
                        "python3",
                        "review.py",
                        "--as=codex-r1-0a1b2c3d",
                        "http://127.0.0.1:8321/mcp",
                        "/work",
                        "gpt-5.3-codex/high",
                        "shop");
        assertThat(launch.environment())
                .containsEntry("HOLDFAST_REVIEWER", "codex-r1-0a1b2c3d")
                .containsEntry("HOLDFAST_MCP_URL", "http://127.0.0.1:8321/mcp")
                .containsEntry("HOLDFAST_PROJECT", "shop");
    }

    @Test
    void an_unknown_placeholder_is_refused_with_the_nearest_known_one() {
        assertThatThrownBy(() -> new Command(List.of("review", "{reviewer}"), Set.of()))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("{reviewer}")
                .hasMessageContaining("reviewer_id");
        assertThatThrownBy(() -> new Command(List.of("review", "{token}"), Set.of()))
                .hasMessageContaining("{token}");
    }

    @Test
    void the_program_is_fixed() {
        assertThatThrownBy(() -> new Command(List.of(), Set.of())).hasMessageContaining("must name a program");
        assertThatThrownBy(() -> new Command(List.of("{model}"), Set.of())).hasMessageContaining("placeholder");
    }
}
