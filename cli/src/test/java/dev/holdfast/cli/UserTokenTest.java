package dev.holdfast.cli;

import static dev.holdfast.cli.hooks.AgentHost.CLAUDE;
import static dev.holdfast.cli.hooks.AgentHost.CODEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.cli.broker.UserToken;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.testing.FreePort;
import dev.holdfast.testing.OtherUser;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that answers only its own user, and everything of ours that calls it: real processes in a home of their own. */
@Timeout(180)
class UserTokenTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    @TempDir
    Path folder;

    private HookedHome home;
    private int port;
    private NotingLauncher launcher;

    @BeforeEach
    void prepare() throws IOException {
        port = FreePort.find();
        home = new HookedHome(Files.createDirectory(folder.resolve("home")), "http://127.0.0.1:" + port);
        loopback("token");
        launcher = NotingLauncher.in(folder);
        launcher.use();
    }

    @AfterEach
    void endBrokers() throws IOException {
        launcher.close();
    }

    private void loopback(String value) throws IOException {
        Path config = Files.createDirectories(home.folder.resolve(".config/holdfast"));
        Files.writeString(config.resolve("config.json"), "{\"server\": {\"loopback\": \"" + value + "\"}}");
    }

    private Path tokenFile() {
        return home.folder.resolve(".local/state/holdfast/token-127.0.0.1-" + port);
    }

    private void serve() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launcher.script().toString(), "serve", "--port", "" + port);
        environment(builder);
        Process broker =
                builder.redirectError(folder.resolve("errors").toFile()).start();
        BufferedReader out = broker.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        while (line != null && !line.startsWith("holdfast is ready on ")) {
            line = out.readLine();
        }
        assertThat(line).as(Files.readString(folder.resolve("errors"))).isNotNull();
    }

    private void environment(ProcessBuilder builder) {
        builder.environment()
                .keySet()
                .removeIf(
                        name -> name.startsWith("HOLDFAST_") || name.startsWith("BROKER_") || name.startsWith("XDG_"));
        builder.environment().putAll(home.environment);
    }

    private Ran process(String input, String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = CommandProcess.of("http://127.0.0.1:" + port, "C.UTF-8", words);
        builder.command().add(1, "-Dholdfast.launcher=" + launcher.script());
        environment(builder);
        Process process = builder.redirectError(folder.resolve("said").toFile()).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), out, Files.readString(folder.resolve("said")));
    }

    @Test
    void commands_the_stream_of_events_and_the_bridge_find_the_token_by_themselves() throws Exception {
        serve();
        assertThat(process("", "claim", "key:deploy", "--holder", "ann").exitCode())
                .isZero();
        assertThat(home.command("who").out()).contains("ann");
        assertThat(home.command("events", "--json").out()).contains("key:deploy");
        assertThat(process(PING, "mcp").out()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
        assertThat(home.command("token", "show").out().strip())
                .isEqualTo(Files.readString(tokenFile()).strip());

        home.environment.put("HOLDFAST_URL", "http://localhost:" + port);
        assertThat(home.command("who").exitCode()).isZero();
    }

    @Test
    void who_has_no_token_or_a_wrong_one_is_told_so_and_where_it_is_found() throws Exception {
        serve();
        home.environment.put("HOLDFAST_TOKEN", "not-it");
        Ran wrong = home.command("who");
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err())
                .contains("the token in HOLDFAST_TOKEN was sent", tokenFile().toString());
        assertThat(process(PING, "mcp").out()).contains("HOLDFAST_TOKEN", "\"error\"");

        home.environment.put("HOLDFAST_TOKEN", Files.readString(tokenFile()).strip());
        home.environment.put("HOME", folder.toString());
        assertThat(home.command("who").exitCode())
                .as("it counts without the file")
                .isZero();

        home.environment.remove("HOLDFAST_TOKEN");
        Ran none = home.command("who", "--json");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.json().text("code")).isEqualTo("unauthorized");
        assertThat(none.json().text("error"))
                .contains("no token was sent", tokenFile().toString())
                .doesNotContain(Files.readString(tokenFile()).strip());
        assertThat(home.command("token", "show").exitCode()).isEqualTo(4);
        assertThat(home.hooks("install", "--claude").err()).contains("no token was sent");
        assertThat(home.hooks("check", "--claude").err()).contains("no token was sent");
    }

    @Test
    void hooks_show_the_token_by_the_script_which_tells_it_to_no_list_of_processes() throws Exception {
        serve();
        Path bin = Files.createDirectories(home.folder.resolve("bin"));
        Path curl = Files.writeString(bin.resolve("curl"), """
                #!/bin/sh
                printf '%s\\n' "$*" >>"$HOME/words"
                PATH=${PATH#*:}
                exec curl "$@"
                """);
        Files.setPosixFilePermissions(curl, PosixFilePermissions.fromString("rwx------"));
        home.environment.put("PATH", bin + ":" + System.getenv("PATH"));
        for (AgentHost host : List.of(CLAUDE, CODEX)) {
            assertThat(home.hooks("install", "--" + host).out()).contains("tested: the hooks reach");
            assertThat(home.hooks("check", "--" + host).exitCode()).isZero();
            String answer = home.script(host, "start", "session_start_startup");
            assertThat(HookedHome.agentIn(answer)).startsWith(host.toString());
            assertThat(home.script(host, "call", "post_tool_use_bash")).isEqualTo("{}");
            Path settings = home.folder.resolve("." + host).resolve(host.file(false));
            assertThat(Files.readString(settings)).contains(AgentHost.SCRIPT).doesNotContain("http://", "Bearer");
        }
        String token = Files.readString(tokenFile()).strip();
        assertThat(Files.readString(home.folder.resolve("words")))
                .contains("/hooks/claude")
                .doesNotContain(token);
    }

    @Test
    void hooks_that_were_installed_before_the_broker_asked_for_a_token_are_found_out_and_mended() throws Exception {
        loopback("open");
        serve();
        assertThat(home.hooks("install", "--claude").out()).contains("tested: the hooks reach");
        Path settings = home.folder.resolve(".claude/settings.json");
        assertThat(Files.readString(settings)).contains("http://");
        launcher.endBrokers();
        Files.delete(launcher.pids());

        loopback("token");
        serve();
        Ran checked = home.hooks("check", "--claude");
        assertThat(checked.exitCode()).isEqualTo(1);
        assertThat(checked.out()).contains("requires a token", "to fix it, run 'holdfast hooks install'");
        Ran again = home.hooks("install", "--claude");
        assertThat(again.out()).as(again.err()).contains("installed", "tested: the hooks reach");
        assertThat(home.hooks("check", "--claude").exitCode()).isZero();
        assertThat(Files.readString(settings)).doesNotContain("http://");
    }

    @Test
    void a_session_that_starts_the_broker_has_the_token_that_it_makes() throws Exception {
        home.hooks("install", "--claude");
        assertThat(tokenFile()).doesNotExist();
        assertThat(HookedHome.agentIn(home.script(CLAUDE, "start", "session_start_startup")))
                .startsWith("claude");
        assertThat(tokenFile()).exists();
        assertThat(Files.readString(home.folder.resolve(".claude/settings.json")))
                .as("the user's settings were looked at")
                .doesNotContain("http://");
        assertThat(home.hooks("check", "--claude").exitCode()).isZero();
    }

    @Test
    void a_bridge_that_starts_the_broker_has_the_token_that_it_makes() throws Exception {
        assertThat(process(PING, "mcp", "--start").out()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
        assertThat(tokenFile()).exists();
    }

    @Test
    void whoever_takes_the_port_of_the_broker_as_another_user_is_shown_nothing() throws Exception {
        assumeTrue(OtherUser.isThere(), OtherUser.WHY_NOT);
        serve();
        home.hooks("install", "--claude", "--no-start");
        endBrokers();
        Path program = Files.createDirectory(Path.of("/tmp").resolve("holdfast-squatter-" + port));
        try {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            Process squatter = squatter(program);
            try (BufferedReader heard = squatter.inputReader(StandardCharsets.UTF_8)) {
                assertThat(heard.readLine()).isEqualTo("listening");
                Ran refused = home.command("who");
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.err()).contains("is not your broker", "user 65534", "Nothing was sent");
                assertThat(home.script(CLAUDE, "call", "post_tool_use_bash")).isEmpty();
                home.environment.put("HOLDFAST_URL", "http://localhost:" + port);
                assertThat(home.command("who").err()).contains("is not your broker");
                squatter.getOutputStream().close();
                assertThat(heard.readAllAsString()).isEqualTo("over\n");
            } finally {
                squatter.destroyForcibly();
            }
        } finally {
            try (var files = Files.list(program)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(program);
        }
    }

    @Test
    void who_answered_at_the_brokers_port_and_listens_no_more_is_shown_nothing() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "only Linux tells who listens");
        Path state = Files.createDirectories(home.folder.resolve(".local/state/holdfast"));
        Files.writeString(state.resolve("token-127.0.0.1-" + port), "t".repeat(43));
        UserToken token = UserToken.of(Ran.shell(home.environment));
        for (String host : List.of("127.0.0.1", "::1")) { // localhost may be either
            assertThatThrownBy(() -> token.tokenFor(new InetSocketAddress(InetAddress.getByName(host), port)))
                    .isInstanceOf(HttpFailure.class)
                    .hasMessage("nothing is listening there any more");
        }
    }

    /** Prints whatever it is sent, until its input ends. */
    private Process squatter(Path program) throws IOException {
        Path source = Files.writeString(program.resolve("Squatter.java"), """
                import java.net.*;
                void main() throws Exception {
                    var socket = new ServerSocket(%d, 9, InetAddress.getByName("127.0.0.1"));
                    IO.println("listening");
                    Thread.ofPlatform().daemon().start(() -> {
                        try {
                            while (true) {
                                System.out.write(socket.accept().getInputStream().readAllBytes());
                            }
                        } catch (java.io.IOException e) {
                            IO.println(e);
                        }
                    });
                    System.in.readAllBytes();
                    IO.println("over");
                }
                """.formatted(port));
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-r--r--"));
        return OtherUser.start(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), source.toString());
    }
}
