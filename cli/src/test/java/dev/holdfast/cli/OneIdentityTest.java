package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.ScriptedModel.Step;
import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real Claude Code and the real Codex in a repository that {@code holdfast init} has set up: one agent at every door. */
@Tag("hosts")
@Timeout(600)
class OneIdentityTest {
    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private SampleRepository shop;

    @ParameterizedTest
    @EnumSource(AgentHost.class)
    void one_agent_id_shows_in_hook_mcp_call_claim_and_gate(AgentHost host) throws Exception {
        try (Broker broker = Broker.start(Config.of(new Settings()
                .put(Setting.DATA, folder.resolve("data").toString())
                .put(Setting.PORT, 0L)))) {
            HookedHome home = new HookedHome(Files.createDirectories(folder.resolve("home of ada's")), broker.url());
            shop = SampleRepository.make(folder, "shop", broker.url());
            RealHost real = RealHost.installed(host, home);
            home.environment.merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
            home.environment.put("GIT_CONFIG_NOSYSTEM", "1");
            Files.writeString( // Codex's commands run in a login shell
                    home.folder.resolve(".profile"), "PATH='" + folder.resolve("bin") + "':$PATH\n");
            shop.environment.putAll(home.environment);
            String item = String.valueOf(shop.holdfast("work", "create", "Cache prices", "--json")
                    .json()
                    .object("item")
                    .text("id"));
            AtomicReference<String> agent = new AtomicReference<>("");
            AtomicReference<String> review = new AtomicReference<>("");
            List<Step> steps = List.of(
                    Step.tool("claim_next_work", Map.of()).after(() -> agent.set(session())),
                    Step.shell("holdfast claim key:prices"),
                    Step.shell("echo cached > prices && git add prices && git commit -m 'Cache prices'"),
                    Step.shell("holdfast gate --propose --intent 'Cache prices'"),
                    Step.shell("holdfast gate --override 'I am in a hurry'"),
                    Step.shell("git commit -m 'Cache prices'").after(() -> {
                        review.set(proposed());
                        shop.approve(review.get());
                    }));
            try (ScriptedModel model = new ScriptedModel(shop.folder, steps)) {
                setUp(real, model);
                real.run(shop.folder, model);
                assertThat(model.failures).isEmpty();
                String last = model.requests.getLast();
                assertThat(last).as("the hook's words").contains("your agent id is " + agent.get());
                assertThat(last).as("the gate").contains("not approved", "approved: the staged change, by bob");
                assertThat(last).as("it knows who asks").contains(agent.get() + " proposed it, and you are the same");
            }
            assertThat(agent.get()).startsWith(host + "-");
            assertThat(shop.git("log", "-1", "--format=%s")).isEqualTo("Cache prices");
            assertThat(actors())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "session_started agent:" + agent.get(),
                            agent.get(),
                            "claimed work:" + item,
                            agent.get(),
                            "claimed key:prices",
                            agent.get(),
                            "review_created review:" + review.get(),
                            agent.get()));
        }
    }

    /** Who did what an agent does, by the broker's own record. */
    private Map<String, String> actors() {
        Map<String, String> actors = new HashMap<>();
        for (JsonObject event : shop.call("get_events", Map.of()).json().objects("events")) {
            String deed = event.text("type") + " " + event.text("resource");
            if (deed.matches("(session_started|claimed (work|key)|review_created).*")) {
                actors.put(deed, String.valueOf(event.text("actor")));
            }
        }
        return actors;
    }

    private void setUp(RealHost real, ScriptedModel model) throws Exception {
        switch (real.host()) {
            // as somebody who says yes to the MCP server of the project
            case CLAUDE ->
                Files.writeString(
                        Files.createDirectories(real.home().folder.resolve(".claude"))
                                .resolve("settings.json"),
                        "{\"enableAllProjectMcpServers\": true}");
            case CODEX -> real.configureCodex(shop.folder, model);
        }
        Ran done = shop.holdfast("init", "--yes", "--for", real.host().toString());
        assertThat(done.exitCode()).as(done.out() + done.err()).isZero();
        if (real.host() == AgentHost.CODEX) {
            real.trustHooks(shop.folder);
        }
    }

    private String session() {
        List<JsonObject> agents = shop.call("list_agents", Map.of()).json().objects("agents");
        assertThat(agents).hasSize(1);
        return String.valueOf(agents.getFirst().text("holder"));
    }

    private String proposed() {
        List<JsonObject> reviews = shop.call("list_reviews", Map.of()).json().objects("reviews");
        assertThat(reviews).hasSize(1);
        return String.valueOf(reviews.getFirst().text("id"));
    }
}
