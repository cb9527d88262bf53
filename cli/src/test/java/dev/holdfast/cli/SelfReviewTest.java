package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.json.Json;
import dev.holdfast.testing.TestRepository;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An agent is a shell here, which begins a session and types commands: what it is shows in its processes. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class SelfReviewTest {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    @TempDir
    Path folder;

    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        TestRepository repository = TestRepository.in(folder.resolve("shop"));
        repository.write("x", "a\n");
        repository.commitAll("x");
        Files.writeString(folder.resolve("change.diff"), DIFF);
        broker = Broker.start(Config.of(new Settings()
                .put(Setting.DATA, TestSqlite.in(folder.resolve("data")).toString())
                .put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, folder.resolve("shop").toString())));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void what_an_agent_types_can_not_review_its_own_proposal_and_another_session_can() throws Exception {
        try (Typist agent = new Typist("claude", "s-1");
                Typist other = new Typist("claude", "s-2")) {
            Ran created = agent.types(
                    "review",
                    "create",
                    "add b",
                    "--diff",
                    folder.resolve("change.diff").toString(),
                    "--project",
                    "shop",
                    "--json");
            String id = String.valueOf(created.json().text("review_id"));
            refused(agent.types("review", "claim", id, "--holder", "bob"));
            assertThat(agent.types("review", "next", "--holder", "bob", "--project", "shop")
                            .out())
                    .contains("nothing to review. You can't claim review " + id);
            refused(agent.calls("claim", Map.of("resource", "review:" + id, "holder", "bob")));
            assertThat(agent.bridges("claim_review", Map.of("review_id", id, "reviewer_id", "bob")))
                    .contains("forbidden");

            Ran claimed = other.types("review", "claim", id, "--holder", "bob");
            assertThat(claimed.exitCode()).as(claimed.toString()).isZero();
            assertThat(other.calls(
                            "submit_verdict",
                            remarks(
                                    id,
                                    "findings",
                                    List.of(Map.of("path", "x", "line", 1, "severity", "must_fix", "message", "no")))))
                    .doesNotContain("\"error\"");
            refused(agent.types("review", "verdict", id, "approve", "--holder", "bob"));
            refused(agent.calls(
                    "submit_verdict", remarks(id, "waived", List.of(Map.of("id", "f1", "reason", "fine")))));
            refused(agent.calls(
                    "override_approval",
                    Map.of(
                            "project", "shop",
                            "by", "ann",
                            "reason", "hurry",
                            "revision", String.valueOf(created.json().text("revision")))));

            other.types("review", "show", id, "--holder", "bob");
            other.calls("submit_verdict", remarks(id, "resolved", List.of("f1")));
            Ran approved = other.types("review", "verdict", id, "approve", "--holder", "bob");
            assertThat(approved.exitCode()).as(approved.toString()).isZero();
        }
    }

    @Test
    void what_an_agent_types_without_a_name_is_its_own() throws Exception {
        try (Typist agent = new Typist("codex", "s-3")) {
            Ran claimed = agent.types("claim", "key:prices", "--json");
            String name = String.valueOf(claimed.json().text("holder"));
            assertThat(name).startsWith("codex-");
            assertThat(agent.types("status").out()).contains("you         " + name + "\n", "you hold (1):");
            Ran released = agent.types("release", "key:prices");
            assertThat(released.exitCode()).as(released.toString()).isZero();
        }
    }

    private static Map<String, Object> remarks(String id, String name, List<?> what) {
        return Map.of(
                "review_id",
                id,
                "verdict",
                "comment",
                "reason",
                "so",
                "reviewer_id",
                "bob",
                "claim_generation",
                1,
                name,
                what);
    }

    private static void refused(String answer) {
        assertThat(answer).contains("\"error\"").containsAnyOf("proposed it", "a person's decision");
    }

    private static void refused(Ran ran) {
        assertThat(ran.exitCode()).as(ran.toString()).isEqualTo(ExitCode.FAILED.number());
        assertThat(ran.out() + ran.err()).as(ran.toString()).containsAnyOf("proposed it", "a person's decision");
    }

    /** A shell with a session. */
    private final class Typist implements AutoCloseable {
        private final Process shell = new ProcessBuilder("sh").start();
        private int commands;

        Typist(String kind, String session) throws IOException {
            Ran begun = types("session", "start", session, "--kind", kind, "--pid", Long.toString(shell.pid()));
            assertThat(begun.exitCode()).as(begun.toString()).isZero();
        }

        Ran types(String... words) throws IOException {
            return runs("</dev/null", words);
        }

        /** What the broker answers a program that the agent runs: curl starts sooner than a JVM. */
        String calls(String verb, Map<String, Object> arguments) throws IOException {
            Path input = Files.writeString(folder.resolve("call"), Json.write(arguments));
            return run("curl -s -H 'Content-Type: application/json' -d @" + input + " " + broker.url() + "/api/v1/"
                            + verb)
                    .out();
        }

        /** What a tool answers through the bridge that a client starts. */
        String bridges(String tool, Map<String, String> arguments) throws IOException {
            String given = arguments.entrySet().stream()
                    .map(one -> "\"" + one.getKey() + "\":\"" + one.getValue() + "\"")
                    .collect(Collectors.joining(","));
            Path input = Files.writeString(
                    folder.resolve("messages"), """
                    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
                    "clientInfo":{"name":"t","version":"1"}}}
                    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"TOOL","arguments":{GIVEN}}}
                    """.replace("TOOL", tool).replace("GIVEN", given));
            return runs("<" + input, "mcp").out();
        }

        private Ran runs(String input, String... words) throws IOException {
            String command = CommandProcess.of(broker.url(), "C.UTF-8", words).command().stream()
                    .map(word -> "'" + word.replace("'", "'\\''") + "'")
                    .collect(Collectors.joining(" "));
            return run("env -u HOLDFAST_AGENT XDG_STATE_HOME=" + folder + " HOLDFAST_URL=" + broker.url() + " "
                    + command + " " + input);
        }

        private Ran run(String line) throws IOException {
            Path out = folder.resolve(shell.pid() + "-" + commands++);
            shell.outputWriter().write(line + " >" + out + " 2>" + out + ".err; echo $?\n");
            shell.outputWriter().flush();
            int exitCode = Integer.parseInt(shell.inputReader().readLine());
            return new Ran(exitCode, Files.readString(out), Files.readString(Path.of(out + ".err")));
        }

        @Override
        public void close() {
            Stream.concat(shell.descendants(), Stream.of(shell.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
    }
}
