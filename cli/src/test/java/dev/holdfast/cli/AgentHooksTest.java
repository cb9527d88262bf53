package dev.holdfast.cli;

import static dev.holdfast.cli.HookedHome.agentIn;
import static dev.holdfast.cli.HookedHome.beside;
import static dev.holdfast.cli.HookedHome.recorded;
import static dev.holdfast.cli.hooks.AgentHost.CLAUDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.hooks.CodexTrust;
import dev.holdfast.cli.json.Json;
import dev.holdfast.testing.FreePort;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hooks of coding agents: put in place, taken away, called while no broker is there. */
@Timeout(300)
class AgentHooksTest extends OnABroker {
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

    @TempDir
    Path folder;

    HookedHome home;
    NotingLauncher launcher;

    AgentHooksTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void prepare() throws IOException {
        home = new HookedHome(Files.createTempDirectory(folder, "home of ann's "), broker.url());
        launcher = NotingLauncher.in(home.folder);
        launcher.use();
    }

    @AfterEach
    void endBrokers() throws IOException {
        launcher.close();
    }

    @ParameterizedTest
    @EnumSource(AgentHost.class)
    void installed_three_times_and_removed_the_settings_are_as_before_to_the_byte(AgentHost host) throws Exception {
        Path settings = settings(host);
        for (String before : List.of(
                SETTINGS,
                SETTINGS + "\n",
                SETTINGS.replace("\n", "\r\n"),
                "\uFEFF" + SETTINGS,
                "{}",
                "",
                "\n\n",
                "{\"hooks\":{\"Stop\":[]}}")) {
            Files.writeString(settings, before);

            assertThat(home.hooks("install", "--" + host).out()).contains("installed", "tested: the hooks reach");
            String installed = Files.readString(settings);
            for (int i = 0; i < 2; i++) {
                assertThat(home.hooks("install", "--" + host).out()).contains("in place");
            }
            assertThat(Files.readString(settings)).isEqualTo(installed).contains("holdfast-hook.sh");
            if (before.contains("mine")) {
                assertThat(installed).contains("// mine", "\"./check.sh\"", "beep");
            }
            assertThat(home.hooks("check", "--" + host).exitCode()).isZero();

            assertThat(home.hooks("uninstall", "--" + host).exitCode()).isZero();
            assertThat(Files.readString(settings)).isEqualTo(before);
            assertThat(beside(settings)).containsExactly(settings);
            assertThat(home.hooks("check", "--" + host).exitCode()).isEqualTo(4);
            assertThat(home.hooks("uninstall", "--" + host).out()).contains("not installed");
        }
    }

    @Test
    void settings_that_were_not_there_are_gone_and_changes_made_meanwhile_stay() throws Exception {
        Path settings = home.folder.resolve(".claude/settings.json");
        home.hooks("install", "--claude", "--guard-paths");
        assertThat(Files.readString(settings)).contains("/hooks/claude?guard=paths");
        home.hooks("uninstall", "--claude");
        assertThat(settings.getParent()).doesNotExist();

        Files.createDirectories(settings.getParent());
        for (String before : List.of(SETTINGS, SETTINGS.replace("\n", "\r\n"))) {
            Files.writeString(settings, before);
            home.hooks("install", "--claude");
            Files.writeString(settings, Files.readString(settings).replace("\"opus\"", "\"sonnet\""));
            home.hooks("uninstall", "--claude");
            assertThat(Files.readString(settings))
                    .contains("\"sonnet\"", "// mine", "./check.sh")
                    .doesNotContain("holdfast")
                    .satisfies(after -> assertThat(after.contains("\n\r") || after.matches("(?s).*[^\r]\n.*"))
                            .as("one kind of line end")
                            .isEqualTo(!before.contains("\r")));
        }
    }

    @Test
    void settings_that_are_kept_elsewhere_and_linked_to_stay_so() throws Exception {
        Path kept = Files.writeString(
                Files.createDirectories(folder.resolve("dotfiles")).resolve("claude.json"), SETTINGS);
        Path link = Files.createSymbolicLink(settings(CLAUDE), kept);

        home.hooks("install", "--claude");
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(kept)).contains("holdfast-hook.sh");
        home.hooks("uninstall", "--claude");
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(kept)).isEqualTo(SETTINGS);
        assertThat(beside(kept)).containsExactly(kept);

        Files.delete(kept);
        assertThat(home.hooks("install", "--claude").err()).contains("is a link to a file that does not exist");
        assertThat(link).isSymbolicLink();
        assertThat(kept).doesNotExist();
    }

    @Test
    void settings_that_are_read_only_are_left_alone() throws Exception {
        Path settings = Files.writeString(settings(CLAUDE), SETTINGS);
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("r--r--r--"));
        Ran refused = home.hooks("install", "--claude");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("settings.json is read-only", "Nothing was changed");
        assertThat(beside(settings)).containsExactly(settings);
        assertThat(Files.readString(settings)).isEqualTo(SETTINGS);
    }

    @Test
    void what_cannot_be_understood_is_left_alone() throws Exception {
        Path settings = settings(CLAUDE);
        for (String broken : List.of("{\"hooks\": ", "[]", "{\"hooks\": []}", "{\"a\": 1, \"a\": 2}")) {
            Files.writeString(settings, broken);
            Ran refused = home.hooks("install", "--claude");
            assertThat(refused.exitCode()).as(broken).isEqualTo(2);
            assertThat(refused.err()).contains("settings.json");
            assertThat(settings).hasContent(broken);
        }
    }

    @Test
    void hooks_that_call_another_broker_are_found_out() throws Exception {
        assertThat(home.hooks("install", "--claude").exitCode()).isZero();
        try (Broker other = Broker.start(Config.in(TestSqlite.in(folder.resolve("other"))))) {
            Ran checked = home.hooks("check", "--claude", "--url", other.url());
            assertThat(checked.exitCode()).isEqualTo(1);
            assertThat(checked.out()).contains("these hooks call " + broker.url() + ", not " + other.url());
        }
        assertThat(home.hooks("check", "--claude").exitCode()).isZero();
    }

    @Test
    void hooks_of_a_project_are_in_its_folder_and_nowhere_else() throws Exception {
        SampleRepository sample = SampleRepository.make(folder, "shop", broker.url());
        Path below = Files.createDirectories(sample.folder.resolve("src/deep"));

        Ran installed = sample.at(below).holdfast("hooks", "install", "--claude", "--codex", "--project");
        assertThat(installed.exitCode()).as(installed.err()).isZero();
        Path script = sample.folder.resolve(".codex").resolve(AgentHost.SCRIPT);
        assertThat(Files.readString(sample.folder.resolve(".claude/settings.local.json")))
                .contains("sh \\\"$CLAUDE_PROJECT_DIR\\\"/.claude/holdfast-hook.sh claude start");
        assertThat(Files.readString(sample.folder.resolve(".codex/hooks.json")))
                .contains("sh '" + script + "' codex call");
        for (AgentHost host : AgentHost.values()) {
            assertThat(Path.of(sample.environment.get("HOME"), "." + host)).doesNotExist();
        }
        assertThat(sample.holdfast("hooks", "check", "--claude", "--project").out())
                .contains("in place", "the hooks reach the broker");
        assertThat(sample.holdfast("hooks", "check", "--claude").out())
                .as("those of the project, as there are none of one's own")
                .contains("settings.local.json: in place");
        assertThat(sample.holdfast("hooks", "check", "--claude", "--user").exitCode())
                .isEqualTo(4);
        assertThat(sample.holdfast("hooks", "check").out())
                .contains("settings.local.json: in place", "hooks.json: in place")
                .doesNotContain("not installed");

        assertThat(sample.holdfast("hooks", "uninstall", "--claude", "--codex", "--project")
                        .exitCode())
                .isZero();
        assertThat(sample.git("status", "--porcelain")).isEmpty();
        assertThat(sample.folder.resolve(".claude")).doesNotExist();
        assertThat(sample.folder.resolve(".codex")).doesNotExist();
        assertThat(sample.holdfast("hooks", "install", "--claude", "--project", "--user")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void whether_codex_trusts_the_hooks_is_told_and_one_that_cannot_tell_is_no_reason_to_fail() throws Exception {
        home.hooks("install", "--codex");
        for (CodexTrust trust : CodexTrust.values()) {
            List<Object> hooks = switch (trust) {
                case TRUSTED -> List.of(ours("trusted"));
                case UNTRUSTED -> List.of(ours("trusted"), ours("modified"));
                case UNSEEN -> List.of(Map.of("command", "beep", "enabled", true, "trustStatus", "trusted"));
                case UNKNOWN -> List.of();
            };
            codexThatAnswers(
                    trust == CodexTrust.UNKNOWN
                            ? Map.of("id", 2, "error", Map.of())
                            : Map.of("id", 2, "result", Map.of("data", List.of(Map.of("hooks", hooks)))));
            Ran checked = home.hooks("check", "--codex");
            assertThat(checked.out()).contains(trust.sentence());
            assertThat(checked.exitCode())
                    .as(trust.toString())
                    .isEqualTo(trust == CodexTrust.TRUSTED || trust == CodexTrust.UNKNOWN ? 0 : 1);
        }
    }

    private Map<String, Object> ours(String trust) throws IOException {
        Path script = settings(AgentHost.CODEX).resolveSibling(AgentHost.SCRIPT);
        String command = "sh " + ShellWord.quoted(script.toString()) + " codex call";
        return Map.of("command", command, "enabled", true, "trustStatus", trust);
    }

    /** A program named codex on the PATH, that speaks as the real one does. */
    private void codexThatAnswers(Map<String, Object> answer) throws IOException {
        Path bin = Files.createDirectories(home.folder.resolve("bin"));
        Files.writeString(bin.resolve("answer"), "{\"id\":1,\"result\":{}}\nnot for us\n" + Json.write(answer) + "\n");
        program("codex", "#!/bin/sh\nread -r a; read -r b; read -r c\nexec cat \"${0%/*}/answer\"\n");
    }

    /** Puts a program in front of all others on the PATH. */
    private void program(String name, String text) throws IOException {
        Path bin = Files.createDirectories(home.folder.resolve("bin"));
        Path file = Files.writeString(bin.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        home.environment.put("PATH", bin + ":" + System.getenv("PATH"));
    }

    @Test
    void without_a_broker_a_hook_says_nothing_and_harms_nothing() throws Exception {
        home.environment.put("HOLDFAST_URL", FreePort.url());
        assertThat(home.hooks("install", "--claude").out()).contains("the next session will start one");
        assertThat(home.hooks("install", "--claude", "--no-start").out())
                .contains("no broker answers", "the hooks do nothing until one does");
        assertThat(home.hooks("check", "--claude").exitCode()).isEqualTo(7);
        assertThat(home.script(CLAUDE, "call", "post_tool_use_bash")).isEmpty();
        assertThat(home.script(CLAUDE, "start", "session_start_startup")).isEmpty();
        assertThat(launcher.started()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AgentHost.class)
    void a_broker_that_hangs_is_waited_for_two_seconds_and_fails_no_tool(AgentHost host) throws Exception {
        home.hooks("install", "--" + host, "--no-start");
        program("curl", """
                #!/bin/sh
                PATH=${PATH#*:}
                curl "$@"
                ended=$?
                echo "$* ended with $ended" >>"$HOME/calls"
                exit $ended
                """);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            home.environment.put("HOLDFAST_URL", "http://127.0.0.1:" + silent.getLocalPort());
            assertThat(home.script(host, "call", "post_tool_use_bash")).isEmpty();
        }
        assertThat(Files.readAllLines(home.folder.resolve("calls")))
                .as("28: its time is over")
                .singleElement()
                .asString()
                .contains(" --max-time 2 ")
                .endsWith(" ended with 28");
        assertThat(Files.readString(settings(host)))
                .as("after which the host does not wait any longer either")
                .containsPattern("\"PostToolUse\"[^]]*\"timeout\": ?" + (host == CLAUDE ? 2 : 3));
    }

    @Test
    void a_broker_that_cannot_start_is_not_waited_for() throws Exception {
        home.environment.put("HOLDFAST_URL", FreePort.url());
        home.hooks("install", "--claude");
        Files.writeString(home.folder.resolve("holdfast"), "#!/bin/sh\necho no JDK\nexit 1\n");
        Path naps = home.folder.resolve("naps");
        program("sleep", "#!/bin/sh\necho nap >>\"$HOME/naps\"\nexec /bin/sleep \"$@\"\n");

        assertThat(home.script(CLAUDE, "start", "session_start_startup")).isEmpty();
        assertThat(Files.exists(naps) ? Files.readAllLines(naps) : List.of())
                .as("a tenth of a second each")
                .hasSizeLessThan(30);
        Path state = home.folder.resolve(".local/state/holdfast");
        assertThat(state.resolve("serve.log")).hasContent("no JDK");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve("serve.log"))))
                .isEqualTo("rw-------");
    }

    @Test
    void ten_sessions_that_begin_at_once_without_a_broker_start_one() throws Exception {
        home.environment.put("HOLDFAST_URL", FreePort.url());
        home.hooks("install", "--claude");
        List<Process> starts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Process process = home.start(CLAUDE, "start");
            try (var input = process.getOutputStream()) {
                input.write(recorded(CLAUDE, "session_start_startup")
                        .replace("3f0c2c2e", "3f0c2c2" + i)
                        .getBytes(StandardCharsets.UTF_8));
            }
            starts.add(process);
        }
        for (Process process : starts) {
            process.getInputStream().readAllBytes();
            assertThat(process.waitFor()).isZero();
        }
        assertThat(launcher.started()).hasSize(1);
        await().atMost(Duration.ofSeconds(60)).until(() -> home.command("who").exitCode() == 0);
        assertThat(agentIn(home.script(CLAUDE, "start", "session_start_startup")))
                .startsWith("claude-");
    }

    private Path settings(AgentHost host) throws IOException {
        return Files.createDirectories(home.folder.resolve("." + host)).resolve(host.file(false));
    }
}
