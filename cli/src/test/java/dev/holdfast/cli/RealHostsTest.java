package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.ScriptedModel.Step;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.hooks.CodexTrust;
import dev.holdfast.cli.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real Claude Code and the real Codex with our hooks and a scripted model: {@code ./holdfast test -Phosts}. npm installs
 * them below {@code cli/target}.
 */
@Tag("hosts")
@Timeout(600)
class RealHostsTest {
    @TempDir
    Path folder;

    private Broker broker;
    private HookedHome home;
    private SampleRepository shop;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(Config.of(new Settings()
                .put(Setting.DATA, folder.resolve("data").toString())
                .put(Setting.PORT, 0L)
                .put(Setting.WORKSPACE, folder.toString())));
        home = new HookedHome(Files.createDirectories(folder.resolve("home of ada's")), broker.url());
        shop = SampleRepository.make(folder, "shop", broker.url());
        System.setProperty("holdfast.launcher", "/never/called");
    }

    @AfterEach
    void stop() {
        System.clearProperty("holdfast.launcher");
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"CLAUDE, false", "CLAUDE, true", "CODEX, false", "CODEX, true"})
    void a_session_is_known_kept_out_of_reserved_paths_told_what_it_lost_and_lets_go_at_its_end(
            AgentHost host, boolean ofProject) throws Exception {
        assertThat(home.command("work", "reserve", "src/parser", "--queue", "shop", "--holder", "bob")
                        .exitCode())
                .isZero();
        AtomicReference<String> agent = new AtomicReference<>();
        List<Step> steps = List.of(
                Step.shell("echo hello $HOLDFAST_AGENT"),
                Step.shell("echo again").after(() -> {
                    agent.set(agentOf(host));
                    loseOne(agent.get());
                }),
                Step.write("src/parser/Lexer.java"),
                Step.write("src/printer/Printer.java").after(() -> {
                    home.claim("key:kept", agent.get(), 600);
                    assertThat(home.command("who").out()).contains(agent.get(), "key:kept");
                }));
        try (ScriptedModel model = new ScriptedModel(shop.folder, steps)) {
            RealHost real = install(host, model, ofProject);
            real.run(shop.folder, model);

            assertThat(model.failures).isEmpty();
            List<String> requests = model.requests;
            assertThat(requests).as(real.output()).hasSize(5);
            assertThat(requests.get(0)).contains("your agent id is " + agent.get(), "give the queue");
            if (host == AgentHost.CLAUDE) {
                assertThat(requests.get(1))
                        .as("its commands know who runs them")
                        .contains("hello " + agent.get());
            }
            assertThat(requests.get(1)).doesNotContain("you have lost");
            assertThat(requests.get(2)).contains("you have lost", "key:lost");
            assertThat(requests.get(3)).contains("is reserved by", "bob");
        }
        assertThat(shop.folder.resolve("src/parser/Lexer.java")).doesNotExist();
        assertThat(shop.folder.resolve("src/printer/Printer.java")).exists();
        assertThat(home.command("who").out()).doesNotContain("key:kept");
        assertThat(agents()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AgentHost.class)
    void a_long_call_keeps_its_claims_and_a_killed_host_lets_go_of_them(AgentHost host) throws Exception {
        try (ScriptedModel model = new ScriptedModel(shop.folder, List.of(Step.shell("tail -f README")))) {
            RealHost real = install(host, model, false);
            Process process = real.start(shop.folder, model);
            try {
                await().atMost(Duration.ofSeconds(60)).until(() -> model.requests.size() == 1 && agents().size() == 1);
                String agent = agentOf(host);
                // a real lease: the host is a program of its own, and its hooks renew as time passes
                home.claim("key:held", agent, 12);
                long end = System.nanoTime() + Duration.ofSeconds(25).toNanos();
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    assertThat(home.command("claim", "key:held", "--holder", "bob")
                                    .exitCode())
                            .as("held by the agent while its tool runs")
                            .isEqualTo(3);
                    return System.nanoTime() > end;
                });

                long pid = Objects.requireNonNull(agents().getFirst().number("pid"))
                        .longValue();
                ProcessHandle.of(pid).orElseThrow().destroyForcibly();
                await().atMost(Duration.ofSeconds(60)).until(() -> agents().isEmpty());
                assertThat(home.command("claim", "key:held", "--holder", "bob").exitCode())
                        .isZero();
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private RealHost install(AgentHost host, ScriptedModel model, boolean ofProject) throws Exception {
        RealHost real = RealHost.installed(host, home);
        if (host == AgentHost.CODEX) {
            real.configureCodex(shop.folder, model);
        }
        String whose = ofProject ? "--project" : "--user";
        String which = "--" + host;
        Ran installed = hooks("install", which, whose, "--guard-paths");
        assertThat(installed.exitCode()).as(installed.err()).isZero();
        if (host == AgentHost.CODEX) {
            Ran untrusted = hooks("check", which, whose);
            assertThat(untrusted.out()).contains(CodexTrust.UNTRUSTED.sentence());
            assertThat(untrusted.exitCode()).isEqualTo(1);
            real.trustHooks(shop.folder);
            assertThat(hooks("check", which, whose).out()).contains(CodexTrust.TRUSTED.sentence());
        }
        assertThat(hooks("check", which, whose).exitCode()).isZero();
        return real;
    }

    /** In the repository's folder, by the home's user. */
    private Ran hooks(String... words) throws Exception {
        shop.environment.putAll(home.environment);
        String[] all = new String[words.length + 1];
        all[0] = "hooks";
        System.arraycopy(words, 0, all, 1, words.length);
        return shop.holdfast(all);
    }

    /** The only session there is; its process is the host itself. */
    private String agentOf(AgentHost host) {
        JsonObject agent = agents().getFirst();
        assertThat(agents()).hasSize(1);
        long pid = Objects.requireNonNull(agent.number("pid")).longValue();
        assertThat(ProcessHandle.of(pid).orElseThrow().info().command().orElseThrow())
                .matches(".*/" + host + "(\\.exe)?");
        assertThat(agent.text("kind")).isEqualTo(host.toString());
        return Objects.requireNonNull(agent.text("holder"));
    }

    private List<JsonObject> agents() {
        return home.command("call", "list_agents").json().objects("agents");
    }

    private void loseOne(String agent) {
        home.claim("key:lost", agent, 1);
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        home.command("claim", "key:lost", "--holder", "bob").exitCode() == 0);
    }
}
