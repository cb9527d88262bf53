package dev.holdfast.cli.init;

import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A program that runs coding agents: how to detect it, and where it reads its MCP servers and instructions. */
enum Host {
    CLAUDE(
            "Claude Code",
            "claude",
            ".claude",
            ".mcp.json",
            "CLAUDE.md",
            AgentHost.CLAUDE,
            "Claude Code asks once, at the next start in this folder, whether to use the MCP server in .mcp.json: say yes."),
    CODEX(
            "Codex",
            "codex",
            ".codex",
            ".codex/config.toml",
            "AGENTS.md",
            AgentHost.CODEX,
            "Codex reads .codex/ only in folders that you trust: start 'codex' here once and trust the folder."),
    GEMINI(
            "Gemini CLI",
            "gemini",
            ".gemini",
            ".gemini/settings.json",
            "GEMINI.md",
            null,
            "Gemini CLI asks before each new tool; choose 'always allow' for the server holdfast if you like."),
    CURSOR(
            "Cursor",
            "cursor-agent",
            ".cursor",
            ".cursor/mcp.json",
            "AGENTS.md",
            null,
            "Cursor shows new MCP servers as off: switch holdfast on in its settings, under MCP.");

    /**
     * Codex starts its servers with little more than HOME and PATH; the bridge must find the same broker as everything
     * else.
     */
    private static final List<String> FORWARDED = List.of(
            "HOLDFAST_URL",
            "HOLDFAST_AGENT",
            "HOLDFAST_TOKEN",
            "HOLDFAST_TOKEN_FILE",
            "HOLDFAST_CA",
            "HOLDFAST_DATA",
            "HOLDFAST_DATABASE",
            "HOLDFAST_DIRECT_DATABASE",
            "HOLDFAST_CONFIG",
            "HOLDFAST_JAVA_HOME",
            "JAVA_HOME",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_RUNTIME_DIR",
            "XDG_STATE_HOME");

    final String title;
    final String servers;
    final String instructions;
    final @Nullable AgentHost hooks;
    final String next;
    private final String program;
    private final String folder;

    Host(
            String title,
            String program,
            String folder,
            String servers,
            String instructions,
            @Nullable AgentHost hooks,
            String next) {
        this.title = title;
        this.program = program;
        this.folder = folder;
        this.servers = servers;
        this.instructions = instructions;
        this.hooks = hooks;
        this.next = next;
    }

    /** Whether the user has it, or it has been used in the repository. */
    boolean isFound(Shell shell, Path top) {
        return Program.named(shell, program).findFirst().isPresent()
                || Files.isDirectory(shell.home().resolve(folder))
                || Files.isDirectory(top.resolve(folder));
    }

    /** Our MCP server, as an entry in this host's file. */
    FilePart server(String holdfast) {
        List<String> words = List.of("mcp", "--tools", "coder", "--start");
        if (this == CODEX) {
            String heading = "[mcp_servers.holdfast]";
            return MarkedBlock.toml(
                    heading + "\ncommand = " + Json.write(holdfast) + "\nargs = " + Json.write(words)
                            + "\nenv_vars = " + Json.write(FORWARDED)
                            + "\ndefault_tools_approval_mode = \"approve\"\ntool_timeout_sec = 120\n",
                    heading);
        }
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("command", holdfast);
        entry.put("args", words);
        return new McpEntry(Json.write(entry));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
