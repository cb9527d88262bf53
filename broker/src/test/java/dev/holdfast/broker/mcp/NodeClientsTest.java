package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.mcp.NodeClients.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official TypeScript client, and the official conformance suite as far as it asks for no tools of its own. */
@Timeout(600)
class NodeClientsTest {
    static NodeClients clients;

    @TempDir
    Path folder;

    Broker broker;

    @BeforeAll
    static void install() throws Exception {
        clients = NodeClients.installed();
    }

    @BeforeEach
    void start() {
        broker = Broker.start(Config.in(folder));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void the_typescript_client_calls_every_tool() throws Exception {
        Run run = clients.run("client.mjs", broker.url() + "/mcp/work");

        assertThat(run.output()).endsWith("ok\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void the_typescript_client_gets_prompts_and_reads_resources() throws Exception {
        Run run = clients.run("library.mjs", broker.url() + "/mcp");

        assertThat(run.output()).endsWith("ok\n");
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server-initialize",
                "ping",
                "tools-list",
                "prompts-list",
                "resources-list",
                "server-sse-multiple-streams",
                "dns-rebinding-protection"
            })
    void the_conformance_suite_finds_nothing(String scenario) throws Exception {
        Run run = clients.run(
                "node_modules/@modelcontextprotocol/conformance/dist/index.js",
                "server",
                "--url",
                broker.url() + "/mcp",
                "--scenario",
                scenario);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains("0 failed");
    }
}
