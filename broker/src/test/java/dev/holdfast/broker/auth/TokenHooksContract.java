package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.token.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks that are called with a token. */
abstract class TokenHooksContract extends TeamClient {
    TokenHooksContract(TeamBroker team) {
        super(team);
    }

    /** A call that a proxy forwards comes from the proxy's process, which serves everybody. */
    @Test
    void a_session_that_comes_through_a_proxy_is_bound_to_no_process_of_this_machine() {
        String far = create("proxied", Role.WORKER);
        Map<String, Object> use =
                Map.of("hook_event_name", "PreToolUse", "session_id", "by-proxy", "tool_name", "Bash");
        answer(far, "/hooks/claude", use, "X-Forwarded-For", "203.0.113.1");
        Map<String, Object> start = Map.of("session_id", "by-proxy-2", "kind", "codex");
        String key = MAPPER.readTree(answer(far, "/api/v1/start_session", start, "X-Forwarded-For", "203.0.113.1"))
                .path("session_key")
                .asString();
        assertThat(user.call("list_agents", "limit", 1000).body().path("agents"))
                .anySatisfy(agent -> {
                    assertThat(agent.path("session_id").asString()).isEqualTo("by-proxy");
                    assertThat(agent.has("pid")).isFalse();
                });
        create("by-a-person", Role.VIEWER); // which an agent may not: nobody here is taken for that session
        assertThat(answer(far, "/api/v1/end_session", Map.of("session_id", "by-proxy-2")))
                .as("what calls from the proxy's process has not started it")
                .contains("forbidden");
        assertThat(answer(far, "/api/v1/end_session", Map.of("session_id", "by-proxy-2", "session_key", key)))
                .contains("released");
    }

    @Test
    void a_hook_with_a_token_starts_sessions_of_its_holder_and_touches_no_others() {
        String hooks = create("hooks", Role.WORKER);
        String answer = hook(hooks, "SessionStart", "hooked");
        assertThat(answer).contains("your agent id is claude-").doesNotContain("subagent");
        String agent = answer.replaceAll("(?s).*your agent id is (claude-[0-9a-f]+).*", "$1");
        assertThat(call(hooks, "claim", "resource", "key:hooked", "holder", agent)
                        .status())
                .isEqualTo(200);
        assertThat(hook(token(Role.WORKER), "SessionEnd", "hooked")).isEqualTo("{}");
        assertThat(hook(token(Role.VIEWER), "SessionStart", "another")).isEqualTo("{}");
        assertThat(call(hooks, "who", "holder", agent).raw().body()).contains("key:hooked");
        assertThat(call(token(Role.WORKER), "claim", "resource", "key:x", "holder", agent)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_hook_reaches_no_session_of_another_token_by_an_id_that_reads_like_a_subagents() {
        String hal = create("hal", Role.WORKER);
        String agent = call(hal, "start_session", "session_id", "hals/one", "kind", "claude")
                .text("holder");
        String ida = create("ida", Role.WORKER);
        Map<String, Object> used =
                Map.of("hook_event_name", "PostToolUse", "session_id", "hals", "agent_id", "one", "tool_name", "Bash");
        long generation =
                call(hal, "claim", "resource", "key:hals", "holder", agent).generation();
        call(
                token(Role.ADMIN),
                "take_back",
                "resource",
                "key:hals",
                "claim_generation",
                generation,
                "by",
                "the-admin",
                "reason",
                "hush");
        assertThat(answer(ida, "/hooks/claude", used, "X-Forwarded-For", "203.0.113.1"))
                .as("what hal has lost is not told to ida")
                .isEqualTo("{}");
        assertThat(answer(hal, "/hooks/claude", used, "X-Forwarded-For", "203.0.113.1"))
                .contains("key:hals");
    }

    @Test
    void whoever_calls_from_another_machine_names_no_folder_of_this_one(@TempDir Path folder) throws Exception {
        String far = create("far-away", Role.WORKER);
        Path secret = folder.toRealPath().resolve("hidden-vault");
        assertThat(new ProcessBuilder("git", "init", "-q", secret.toString())
                        .start()
                        .waitFor())
                .isZero();
        String[] afar = {"X-Forwarded-For", "203.0.113.1"};
        Map<String, Object> start =
                Map.of("hook_event_name", "SessionStart", "session_id", "from-afar", "cwd", secret.toString());
        assertThat(answer(far, "/hooks/claude", start, afar))
                .contains("your agent id")
                .doesNotContain("hidden-vault");
        Map<String, Object> writing = Map.of(
                "hook_event_name",
                "PreToolUse",
                "session_id",
                "from-afar",
                "tool_name",
                "Write",
                "tool_input",
                Map.of("file_path", secret.resolve("a.txt").toString()));
        answer(far, "/hooks/claude?guard=paths", writing, afar);
        String header = "name=hidden-vault&folder=" + URLEncoder.encode(secret.toString(), StandardCharsets.UTF_8);
        answer(far, "/api/v1/list_work", Map.of(), afar[0], afar[1], "Holdfast-Repository", header);
        assertThat(checked("six")).doesNotContain(secret.toString());
        answer(far, "/api/v1/list_work", Map.of(), "Holdfast-Repository", header);
        assertThat(checked("seven")).as("whoever is here does").contains(secret.toString());
    }

    @Test
    void a_hook_of_a_token_of_one_project_learns_nothing_of_the_folder_of_another(@TempDir Path folder)
            throws Exception {
        String shop = create("shop-hooks", Role.WORKER, "projects", List.of("shop"));
        Path vault = folder.toRealPath().resolve("hushvault");
        assertThat(new ProcessBuilder("git", "init", "-q", vault.toString())
                        .start()
                        .waitFor())
                .isZero();
        user.call("reserve_paths", "holder", "hush-vera", "queue", "hushvault", "paths", List.of("*.txt"));
        assertThat(answer(shop, "/hooks/claude", hook("SessionStart", "shop-hooked", vault)))
                .contains("your agent id")
                .doesNotContain("hush");
        assertThat(answer(shop, "/hooks/claude?guard=paths", hook("PreToolUse", "shop-hooked", vault)))
                .isEqualTo("{}");
        String any = create("any-hooks", Role.WORKER);
        assertThat(answer(any, "/hooks/claude", hook("SessionStart", "any-hooked", vault)))
                .contains("hushvault");
        assertThat(answer(any, "/hooks/claude?guard=paths", hook("PreToolUse", "any-hooked", vault)))
                .contains("deny", "hush-vera");
    }

    /** About a file in this folder. */
    private static Map<String, Object> hook(String event, String session, Path folder) {
        return Map.of(
                "hook_event_name",
                event,
                "session_id",
                session,
                "cwd",
                folder.toString(),
                "tool_name",
                "Write",
                "tool_input",
                Map.of("file_path", folder.resolve("a.txt").toString()));
    }

    /** What a check of a diff against the folder of the project hidden-vault says. */
    private String checked(String word) {
        return user.call(
                        "create_review",
                        "intent",
                        "a look",
                        "project",
                        "hidden-vault",
                        "diff",
                        DIFF.replace("two", word),
                        "base",
                        "0123456789012345678901234567890123456789")
                .raw()
                .body();
    }

    private String hook(String token, String event, String session) {
        return answer(token, "/hooks/claude", Map.of("hook_event_name", event, "session_id", session, "cwd", "/"));
    }
}
