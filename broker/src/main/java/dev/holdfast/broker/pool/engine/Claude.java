package dev.holdfast.broker.pool.engine;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Anthropic's Claude Code as an unattended reviewer. It may read its workspace and call the broker's tools; everything
 * else is denied without asking.
 */
public final class Claude implements ReviewerEngine {
    private static final Set<String> VARIABLES = Set.of("CLAUDE_CONFIG_DIR");

    private final String program;
    private final Set<String> handedOn;

    /**
     * @param program {@code claude}, or the path of a Claude Code executable
     * @param handedOn further variables to pass on from the broker's environment, such as the model's API key
     */
    public Claude(String program, Set<String> handedOn) {
        Launch.checkProgram("program", program);
        this.program = program;
        this.handedOn = Set.copyOf(handedOn);
    }

    @Override
    public String name() {
        return "claude";
    }

    @Override
    public Launch launch(LaunchSpec spec) {
        return new Launch(
                argv(spec),
                environment(spec),
                ReviewerEnvironment.inherited(VARIABLES, handedOn),
                spec.prompt(),
                spec.workspace());
    }

    private static Map<String, String> environment(LaunchSpec spec) {
        Map<String, String> own = new TreeMap<>(ReviewerEnvironment.NO_REPOSITORY);
        own.put(ReviewerEnvironment.TOKEN, spec.token());
        own.put("MCP_TIMEOUT", "30000");
        own.put("MCP_TOOL_TIMEOUT", "120000"); // above the longest wait of a call, 55 s
        own.put("MAX_MCP_OUTPUT_TOKENS", "200000"); // otherwise long answers are rejected
        own.put("DISABLE_AUTOUPDATER", "1");
        own.put("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "1"); // commit titles and branch names
        own.put("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1");
        own.put("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
        return own;
    }

    private List<String> argv(LaunchSpec spec) {
        return List.of(
                program,
                "--print",
                "--model",
                spec.model(),
                "--effort",
                spec.effort(),
                "--no-session-persistence",
                "--strict-mcp-config",
                "--mcp-config",
                broker(spec),
                // no CLAUDE.md, hooks, skills or permissions from the workspace or the user
                "--setting-sources",
                "",
                "--disable-slash-commands",
                // reading inside the workspace needs no permission; outside of it, none is granted
                "--tools",
                "Read,Grep,Glob",
                "--permission-mode",
                "dontAsk",
                "--allowedTools",
                ReviewerTools.of(spec.prompt()).stream()
                        .map(tool -> "mcp__" + ReviewerTools.SERVER + "__" + tool)
                        .collect(Collectors.joining(",")));
    }

    /** Claude Code itself substitutes the token for its variable. */
    private static String broker(LaunchSpec spec) {
        return JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "mcpServers",
                        Map.of(
                                ReviewerTools.SERVER,
                                Map.of(
                                        "type",
                                        "http",
                                        "url",
                                        spec.mcp().toString(),
                                        "headers",
                                        Map.of("Authorization", "Bearer ${" + ReviewerEnvironment.TOKEN + "}")))));
    }
}
