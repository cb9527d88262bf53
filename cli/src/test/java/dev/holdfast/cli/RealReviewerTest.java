package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.pool.engine.Claude;
import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.broker.pool.engine.LaunchSpec;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.git.Trap;
import dev.holdfast.git.TrappedRepository;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real Claude Code as the pool starts it, in a stranger's repository: {@code ./holdfast test -Phosts}. */
@Tag("hosts")
@Timeout(600)
class RealReviewerTest {
    @TempDir
    Path temporary;

    @Test
    void nothing_of_its_workspace_is_run_and_nothing_of_it_reaches_the_model() throws Exception {
        Path folder = temporary.toRealPath();
        HookedHome home = new HookedHome(Files.createDirectory(folder.resolve("home")), "http://127.0.0.1:1");
        RealHost real = RealHost.installed(AgentHost.CLAUDE, home);
        TrappedRepository stranger = TrappedRepository.in(folder.resolve("src"));
        stranger.git("commit", "-q", "--allow-empty", "-m", "SWAYED by a title");
        stranger.git("branch", "-m", "SWAYED-by-a-name");
        String run = "touch " + stranger.mark("claude");
        for (String text :
                List.of("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/x.md", "AGENTS.md")) {
            stranger.write(text, "SWAYED by a text\n");
        }
        for (String text : List.of(".claude/agents/x.md", ".claude/commands/x.md", ".claude/skills/x/SKILL.md")) {
            stranger.write(text, "---\nname: x\ndescription: SWAYED\n---\nSWAYED\n");
        }
        for (String settings : List.of(".claude/settings.json", ".claude/settings.local.json")) {
            stranger.write(settings, """
                    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "%1$s"}]}],
                        "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "%1$s"}]}]},
                     "apiKeyHelper": "%1$s", "statusLine": {"type": "command", "command": "%1$s"},
                     "enableAllProjectMcpServers": true}
                    """.formatted(run));
        }
        stranger.write(
                ".mcp.json", "{\"mcpServers\": {\"x\": {\"command\": \"sh\", \"args\": [\"-c\", \"" + run + "\"]}}}");
        for (Trap trap :
                Arrays.stream(Trap.values()).filter(trap -> !trap.isAlone()).toList()) {
            stranger.set(trap);
        }

        try (ScriptedModel model = new ScriptedModel(stranger.folder(), List.of())) {
            Map<String, String> environment = new HashMap<>(home.environment);
            environment.put("ANTHROPIC_BASE_URL", model.url());
            environment.put("ANTHROPIC_API_KEY", "dummy");
            Launch launch = new Claude(
                            real.folder().resolve("claude").toString(),
                            Set.of("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"))
                    .launch(new LaunchSpec(
                            "claude-r1-0a1b2c3d",
                            "claude-r1",
                            null,
                            URI.create("http://127.0.0.1:1/mcp"),
                            "token",
                            stranger.folder(),
                            "sonnet",
                            "low",
                            "Review."));
            Process process = launch.process(environment)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            try (Writer prompt = process.outputWriter()) {
                prompt.write("Review.");
            }
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(model.requests)
                    .as(Files.readString(folder.resolve("output")))
                    .isNotEmpty();
            assertThat(model.requests.toString()).contains("Review.").doesNotContain("SWAYED");
            assertThat(stranger.sprung()).isEmpty();
        }
    }
}
