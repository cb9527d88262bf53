package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hooks of coding agents: put in place, called as their hosts call them, taken away. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentHooksTest {
    private static final Pattern IDENTITY = Pattern.compile("your agent id is ([A-Za-z0-9-]+);");
    private static final String SETTINGS = """
            {
              // mine
              "model": "opus",   /* and this */
              "hooks": {
                "PreToolUse": [
                    { "matcher": "Bash", "hooks": [ {"type":"command","command":"./check.sh"} ] },
                ],
            \t"Stop": [], "Notification": [{"hooks": [{"type": "command", "command": "beep"}]}]
              },
              "permissions": {"allow": ["Bash(ls:*)"]}
            }""";

    private final BrokerProcess broker;

    @TempDir
    Path folder;

    Path home;
    Path pids;
    final Map<String, String> environment = new HashMap<>();

    AgentHooksTest(@TempDir Path data) throws IOException {
        broker = new BrokerProcess(data);
    }

    @BeforeEach
    void prepare() throws IOException {
        home = Files.createTempDirectory(folder, "home of ann's ");
        pids = home.resolve("pids");
        Path launcher = Files.writeString(home.resolve("holdfast"), """
                #!/bin/sh
                echo $$ >>'%s'
                shift
                exec '%s/bin/java' --enable-native-access=ALL-UNNAMED -cp '%s' dev.holdfast.broker.Serve "$@"
                """.formatted(
                        pids.toString().replace("'", "'\\''"),
                        System.getProperty("java.home"),
                        System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("holdfast.launcher", launcher.toString());
        environment.clear();
        environment.put("HOME", home.toString());
        environment.put("PATH", Objects.requireNonNull(System.getenv("PATH")));
        environment.put("HOLDFAST_URL", broker.url());
        environment.put("HOLDFAST_DATA", home.resolve("data").toString());
    }

    @AfterEach
    void endBrokers() throws IOException {
        System.clearProperty("holdfast.launcher");
        if (Files.exists(pids)) {
            for (String pid : Files.readAllLines(pids)) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(started -> {
                    started.destroy();
                    await().atMost(Duration.ofSeconds(20)).until(() -> !started.isAlive());
                });
            }
        }
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(AgentHost.class)
    void installed_three_times_and_removed_the_settings_are_as_before_to_the_byte(AgentHost host) throws Exception {
        Path settings = home.resolve("." + host).resolve(host.file());
        Files.createDirectories(settings.getParent());
        Files.writeString(settings, SETTINGS);

        assertThat(hooks("install", "--" + host).out()).contains("installed", "tried: the broker");
        String installed = Files.readString(settings);
        for (int i = 0; i < 2; i++) {
            assertThat(hooks("install", "--" + host).out()).contains("in place");
        }
        assertThat(settings).hasContent(installed);
        assertThat(installed).contains("// mine", "\"./check.sh\"", "beep", "holdfast-hook.sh");
        assertThat(hooks("check", "--" + host).exitCode()).isZero();

        assertThat(hooks("uninstall", "--" + host).exitCode()).isZero();
        assertThat(Files.readString(settings)).isEqualTo(SETTINGS);
        assertThat(files(home.resolve("." + host))).containsExactly(settings);
        assertThat(hooks("check", "--" + host).exitCode()).isEqualTo(4);
        assertThat(hooks("uninstall", "--" + host).out()).contains("not there");
    }

    @Test
    void settings_that_were_not_there_are_gone_and_changes_made_meanwhile_stay() throws Exception {
        Path settings = home.resolve(".claude/settings.json");
        hooks("install", "--claude", "--guard-paths");
        assertThat(Files.readString(settings)).contains("/hooks/claude?guard=paths");
        hooks("uninstall", "--claude");
        assertThat(settings.getParent()).doesNotExist();

        Files.createDirectories(settings.getParent());
        Files.writeString(settings, SETTINGS);
        hooks("install", "--claude");
        Files.writeString(settings, Files.readString(settings).replace("\"opus\"", "\"sonnet\""));
        hooks("uninstall", "--claude");
        assertThat(Files.readString(settings))
                .contains("\"sonnet\"", "// mine", "./check.sh")
                .doesNotContain("holdfast");
    }

    @Test
    void what_cannot_be_understood_is_left_alone() throws Exception {
        Path settings = Files.createDirectories(home.resolve(".claude")).resolve("settings.json");
        for (String broken : List.of("{\"hooks\": ", "[]", "{\"hooks\": []}", "{\"a\": 1, \"a\": 2}")) {
            Files.writeString(settings, broken);
            Ran refused = hooks("install", "--claude");
            assertThat(refused.exitCode()).as(broken).isEqualTo(2);
            assertThat(refused.err()).contains("settings.json");
            assertThat(settings).hasContent(broken);
        }
    }

    @Test
    void a_recorded_session_of_claude_begins_works_is_told_what_it_lost_and_ends() throws Exception {
        hooks("install", "--claude");
        Path variables = home.resolve("variables");
        environment.put("CLAUDE_ENV_FILE", variables.toString());
        String agent = agentIn(script("claude", "start", "session_start_startup"));
        assertThat(variables).hasContent("export HOLDFAST_AGENT='" + agent + "'\n");
        claim("key:kept", agent, 600);
        assertThat(script("claude", "start", "session_start_compact")).contains(agent, "key:kept");
        assertThat(agentIn(script("claude", "start", "session_start_resume"))).isEqualTo(agent);

        assertThat(post("claude", "pre_tool_use_bash")).isEqualTo("{}");
        assertThat(post("claude", "post_tool_use_bash")).isEqualTo("{}");
        claim("key:lost", agent, 1);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> command("claim", "key:lost", "--holder", "bob").exitCode() == 0);
        assertThat(post("claude", "post_tool_use_failure")).contains("you have lost \\\"key:lost\\\"");
        // that it was told is noted once the answer has gone out
        await().atMost(Duration.ofSeconds(60))
                .until(() -> post("claude", "post_tool_use_bash").equals("{}"));

        String child = agentIn(post("claude", "subagent_start"));
        assertThat(child).isNotEqualTo(agent);
        claim("key:child", child, 600);
        assertThat(post("claude", "subagent_pre_tool_use")).isEqualTo("{}");
        assertThat(post("claude", "subagent_post_tool_use")).isEqualTo("{}");
        post("claude", "subagent_stop");
        assertThat(command("who").out()).contains("key:kept").doesNotContain("key:child");

        post("claude", "stop");
        assertThat(command("who").out()).contains("key:kept");
        script("claude", "call", "session_end_clear");
        assertThat(script("claude", "start", "session_start_clear")).contains(agent, "key:kept");
        String fork = agentIn(script("claude", "start", "session_start_fork"));
        assertThat(fork).isNotEqualTo(agent);
        assertThat(command("call", "list_agents").out()).contains("\"parent\":\"" + agent + "\"");
        String end = recorded("claude", "session_end")
                .replace("3f0c2c2e-8f6b-4d0b-9b0e-0d7f5a3a9a11", "9a1d7e40-52a3-4b8e-8b57-6f7f1f0d2b22");
        assertThat(run("claude", "call", end)).isEqualTo("{}");
        assertThat(command("who").out()).doesNotContain("key:kept");
    }

    @Test
    void a_recorded_session_of_codex_begins_works_and_ends_by_the_script_alone() throws Exception {
        hooks("install", "--codex");
        String agent = agentIn(script("codex", "start", "session_start_startup"));
        assertThat(agent).startsWith("codex-");
        claim("key:codex", agent, 600);
        assertThat(script("codex", "call", "pre_tool_use_bash")).isEqualTo("{}");
        assertThat(script("codex", "call", "post_tool_use_bash")).isEqualTo("{}");
        assertThat(script("codex", "call", "stop")).isEqualTo("{}");
        assertThat(command("who").out()).contains("key:codex");
        script("codex", "call", "session_end");
        assertThat(command("who").out()).doesNotContain("key:codex");
    }

    @Test
    void every_recorded_event_and_every_nonsense_gets_a_harmless_answer() throws Exception {
        for (String host : List.of("claude", "codex")) {
            Path recordings = Path.of(Objects.requireNonNull(AgentHooksTest.class.getResource("/hooks/" + host))
                    .toURI());
            for (Path recording : files(recordings)) {
                String answer = send(host, "", Files.readString(recording));
                assertThat(Json.read(answer)).as(recording.toString()).isInstanceOf(Map.class);
                assertThat(answer).doesNotContain("\"decision\"", "deny", "\"continue\"");
            }
            String unknown = recorded(host, "post_tool_use_bash")
                    .replaceFirst("\"session_id\": \"[^\"]+\"", "\"session_id\": \"unknown\"");
            for (String nonsense : List.of("", "[]", "{", "{\"session_id\": 7}", unknown, "{\"session_id\":\"\"}")) {
                assertThat(send(host, "", nonsense)).as(nonsense).isEqualTo("{}");
            }
        }
        assertThat(command("call", "list_agents", "--field", "all=true").out()).doesNotContain("\"unknown\"");
    }

    @Test
    void a_tool_may_not_write_where_another_has_reserved_the_paths_in_any_working_tree() throws Exception {
        SampleRepository sample = SampleRepository.make(folder, "shop", broker.url());
        Path tree = folder.resolve("another tree");
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        assertThat(command("work", "reserve", "src/parser", "--queue", "shop", "--holder", "bob")
                        .exitCode())
                .isZero();
        for (Path root : List.of(sample.folder, tree)) {
            String write = recorded("claude", "pre_tool_use_write").replace("/home/dev/shop", root.toString());
            assertThat(send("claude", "?guard=paths", write)).contains("deny", "bob", "src/parser/Lexer.java");
            assertThat(send("claude", "?guard=paths", write.replace("src/parser", "src/printer")))
                    .isEqualTo("{}");
            assertThat(send("claude", "", write)).isEqualTo("{}");
            String patch = recorded("codex", "pre_tool_use_apply_patch").replace("/home/dev/shop", root.toString());
            assertThat(send("codex", "?guard=paths", patch)).contains("deny", "bob");
        }
    }

    @Test
    void without_a_broker_a_hook_says_nothing_and_harms_nothing() throws Exception {
        environment.put("HOLDFAST_URL", unused());
        assertThat(hooks("install", "--claude", "--no-start").out()).contains("no broker answers");
        assertThat(hooks("check", "--claude").exitCode()).isEqualTo(7);
        assertThat(script("claude", "call", "post_tool_use_bash")).isEmpty();
        assertThat(script("claude", "start", "session_start_startup")).isEmpty();
        assertThat(pids).doesNotExist();
    }

    @Test
    void ten_sessions_that_begin_at_once_without_a_broker_start_one() throws Exception {
        environment.put("HOLDFAST_URL", unused());
        hooks("install", "--claude");
        List<Process> starts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Process process = process("claude", "start");
            try (var input = process.getOutputStream()) {
                input.write(recorded("claude", "session_start_startup")
                        .replace("3f0c2c2e", "3f0c2c2" + i)
                        .getBytes(StandardCharsets.UTF_8));
            }
            starts.add(process);
        }
        for (Process process : starts) {
            process.getInputStream().readAllBytes();
            assertThat(process.waitFor()).isZero();
        }
        assertThat(Files.readAllLines(pids)).hasSize(1);
        await().atMost(Duration.ofSeconds(60)).until(() -> command("who").exitCode() == 0);
        assertThat(agentIn(script("claude", "start", "session_start_startup"))).startsWith("claude-");
    }

    private Ran hooks(String... words) {
        return command(Stream.concat(Stream.of("hooks"), Stream.of(words)).toArray(String[]::new));
    }

    private Ran command(String... words) {
        return Ran.command(environment, words);
    }

    private void claim(String resource, String holder, int seconds) {
        assertThat(command("claim", resource, "--holder", holder, "--ttl", "" + seconds)
                        .exitCode())
                .isZero();
    }

    /** As the host calls it. */
    private String script(String host, String mode, String recording) throws Exception {
        return run(host, mode, recorded(host, recording));
    }

    private String run(String host, String mode, String input) throws Exception {
        Process process = process(host, mode);
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return answer.strip();
    }

    private Process process(String host, String mode) throws IOException {
        Path script = home.resolve("." + host).resolve(AgentHost.SCRIPT);
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", "sh " + AgentHost.quoted(script.toString()) + " " + host + " " + mode);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("XDG_"));
        builder.environment().putAll(environment);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private String post(String host, String recording) throws Exception {
        return send(host, "", recorded(host, recording));
    }

    private String send(String host, String query, String body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create(broker.url() + "/hooks/" + host + query))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        }
    }

    private static String recorded(String host, String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                AgentHooksTest.class.getResourceAsStream("/hooks/" + host + "/" + name + ".json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String agentIn(String answer) {
        Matcher matcher = IDENTITY.matcher(answer);
        assertThat(matcher.find()).as(answer).isTrue();
        return matcher.group(1);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static String unused() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + free.getLocalPort();
        }
    }
}
