package dev.holdfast.broker.pool.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * OpenAI's Codex CLI as an unattended reviewer. Every setting it depends on is on its command line, and {@code
 * --strict-config} makes a Codex version that does not know one of them stop instead of ignoring it.
 */
public final class Codex implements ReviewerEngine {
    /** The only Codex settings that users may pass to {@code codex exec}: they say where the model is, nothing more. */
    private static final Pattern MODEL_KEY = Pattern.compile("model_[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

    private static final Set<String> VARIABLES = Set.of("CODEX_HOME", "CODEX_CA_CERTIFICATE");

    private final String program;
    private final Map<String, String> modelSettings;
    private final Set<String> handedOn;
    private final Platform platform;

    /**
     * @param program {@code codex}, or the path of a Codex executable
     * @param modelSettings Codex's own model settings, by key, as TOML
     * @param handedOn further variables to pass on from the broker's environment, such as the model's API key
     */
    public Codex(String program, Map<String, String> modelSettings, Set<String> handedOn, Platform platform) {
        for (String key : modelSettings.keySet()) {
            if (!MODEL_KEY.matcher(key).matches()) {
                throw new UnusableLaunchException(
                        "model_settings." + key
                                + ": only settings of the model can be given, whose names begin with model_, such as model_provider");
            }
        }
        Launch.checkProgram("program", program);
        this.program = program;
        this.modelSettings = Map.copyOf(modelSettings);
        this.handedOn = Set.copyOf(handedOn);
        this.platform = platform;
    }

    @Override
    public String name() {
        return "codex";
    }

    @Override
    public Launch launch(LaunchSpec spec) {
        Map<String, String> own =
                new TreeMap<>(ReviewerEnvironment.NO_REPOSITORY); // does not apply to its shell, which has a sandbox
        own.put(ReviewerEnvironment.TOKEN, spec.token());
        return new Launch(
                platform.argv(argv(spec)),
                platform.environment(own, handedOn),
                ReviewerEnvironment.inherited(VARIABLES, handedOn),
                spec.prompt(),
                spec.workspace());
    }

    private List<String> argv(LaunchSpec spec) {
        List<String> words = new ArrayList<>(List.of(program, "exec"));
        words.addAll(List.of("--sandbox", "read-only", "--ephemeral", "--skip-git-repo-check", "--color", "never"));
        words.addAll(List.of("--strict-config", "--ignore-user-config", "--ignore-rules"));
        words.addAll(List.of("--model", spec.model()));
        words.addAll(List.of("-C", platform.path(spec.workspace())));
        set(words, "model_reasoning_effort", text(spec.effort()));
        theBroker(words, spec);
        ignoreWorkspaceSettings(words);
        // a reviewer that cannot reach its model must end and be replaced, not retry forever unnoticed
        words.addAll(List.of("--disable", "unbounded_connection_retries"));
        modelSettings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(setting -> set(words, setting.getKey(), setting.getValue()));
        words.add("-"); // read the prompt from stdin
        return words;
    }

    private static void theBroker(List<String> words, LaunchSpec spec) {
        String server = "mcp_servers." + ReviewerTools.SERVER + ".";
        set(words, server + "url", text(spec.mcp().toString()));
        set(words, server + "bearer_token_env_var", text(ReviewerEnvironment.TOKEN));
        set(words, server + "required", "true"); // else it waits one second, then goes on without tools
        set(words, server + "startup_timeout_sec", "30");
        set(words, server + "tool_timeout_sec", "120"); // above the longest wait of a call, 55 s
        set(words, server + "default_tools_approval_mode", text("approve")); // nobody is there to ask
        set(
                words,
                server + "enabled_tools",
                "["
                        + String.join(
                                ",",
                                ReviewerTools.of(spec.prompt()).stream()
                                        .map(Codex::text)
                                        .toList()) + "]");
        set(words, "tool_output_token_limit", "200000"); // otherwise it cuts the middle out of long answers
    }

    /** The workspace is what reviewers judge, so nothing in it may influence them. */
    private static void ignoreWorkspaceSettings(List<String> words) {
        set(words, "project_doc_max_bytes", "0"); // AGENTS.md
        set(words, "skills.include_instructions", "false");
        set(words, "shell_environment_policy.inherit", text("core")); // without the token
        set(words, "allow_login_shell", "false");
        set(words, "web_search", text("disabled"));
        for (String feature : List.of("hooks", "plugins", "apps", "multi_agent", "shell_snapshot")) {
            words.addAll(List.of("--disable", feature));
        }
    }

    private static void set(List<String> words, String key, String toml) {
        words.addAll(List.of("-c", key + "=" + toml));
    }

    /** A JSON string is a TOML basic string too. */
    private static String text(String value) {
        return JsonMapper.shared().writeValueAsString(value);
    }
}
