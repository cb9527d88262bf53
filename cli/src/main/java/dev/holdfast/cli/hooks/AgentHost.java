package dev.holdfast.cli.hooks;

import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A program that runs coding agents, and the form of its hooks. */
public enum AgentHost {
    /** Calls URLs itself, except at the start of a session; at its end, a process is more reliable. */
    CLAUDE(
            ".claude",
            "settings.json",
            "CLAUDE_CONFIG_DIR",
            List.of(
                    "UserPromptSubmit",
                    "SubagentStart",
                    "PreToolUse",
                    "PostToolUse",
                    "PostToolUseFailure",
                    "SubagentStop",
                    "Stop")),
    /** Only runs commands. It asks its user to approve each new command line, so ours never changes. */
    CODEX(
            ".codex",
            "hooks.json",
            "CODEX_HOME",
            List.of("SubagentStart", "PreToolUse", "PostToolUse", "SubagentStop", "Interrupt", "Stop"));

    public static final String SCRIPT = "holdfast-hook.sh";

    private final String folder;
    private final String file;
    private final String home;
    private final List<String> events;

    AgentHost(String folder, String file, String home, List<String> events) {
        this.folder = folder;
        this.file = file;
        this.home = home;
        this.events = events;
    }

    /**
     * The options for installing hooks.
     *
     * @param guarded whether to refuse writes to paths that others have reserved
     * @param token whether the broker requires one. Only the script can send it: in one of the host's own handlers, it
     *     would have to be in the host's settings
     */
    record HookOptions(String url, boolean guarded, boolean ofProject, boolean token) {}

    /** The folder of the user's own settings, or of this project's. */
    Path folder(Shell shell, Path project, boolean ofProject) {
        String elsewhere = shell.variable(home);
        if (ofProject) {
            return project.resolve(folder);
        }
        if (elsewhere != null) {
            return Path.of(elsewhere).toAbsolutePath();
        }
        return shell.home().resolve(folder).toAbsolutePath();
    }

    /**
     * Its settings file; for a project, the one that is not shared with others, because our hooks contain paths of this
     * machine.
     */
    public String file(boolean ofProject) {
        return this == CLAUDE && ofProject ? "settings.local.json" : file;
    }

    /** The groups to add, one per event, as JSON. */
    Map<String, String> groups(Path script, HookOptions wanted) {
        Map<String, String> groups = new LinkedHashMap<>();
        groups.put("SessionStart", command(script, wanted, "start", 10));
        for (String event : events) {
            boolean guarded = wanted.guarded && event.equals("PreToolUse");
            groups.put(
                    event,
                    this == CLAUDE && !wanted.token
                            ? group("http", "url", address(wanted.url) + (guarded ? "?guard=paths" : ""), 2)
                            : command(script, wanted, guarded ? "guard" : "call", 3));
        }
        groups.put("SessionEnd", command(script, wanted, "call", 3));
        return groups;
    }

    String address(String url) {
        return (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + "/hooks/" + this;
    }

    private String command(Path script, HookOptions wanted, String mode, int seconds) {
        String path = this == CLAUDE && wanted.ofProject
                ? "\"$CLAUDE_PROJECT_DIR\"/" + folder + "/" + SCRIPT
                : ShellWord.quoted(script.toString());
        return group("command", "command", "sh " + path + " " + this + " " + mode, seconds);
    }

    private static String group(String type, String key, String value, int seconds) {
        Map<String, Object> handler = new LinkedHashMap<>();
        handler.put("type", type);
        handler.put(key, value);
        handler.put("timeout", seconds);
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("hooks", List.of(handler));
        return Json.write(group);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
