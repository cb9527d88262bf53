package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.mcp.NodeClients.Run;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official TypeScript clients, and the official conformance suite as far as it asks for no tools of its own. */
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
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
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

    @Test
    void the_typescript_client_of_2026_calls_tools_gets_prompts_and_reads_resources() throws Exception {
        Run run = clients.run("modern.mjs", broker.url() + "/mcp");

        assertThat(run.output()).endsWith("ok\n");
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "2025-11-25, server-initialize",
        "2025-11-25, ping",
        "2025-11-25, tools-list",
        "2025-11-25, prompts-list",
        "2025-11-25, resources-list",
        "2025-11-25, server-sse-multiple-streams",
        "2025-11-25, dns-rebinding-protection",
        "2026-07-28, tools-list",
        "2026-07-28, prompts-list",
        "2026-07-28, resources-list",
        "2026-07-28, sep-2164-resource-not-found",
        "2026-07-28, server-sse-multiple-streams",
        "2026-07-28, dns-rebinding-protection",
        "2026-07-28, caching",
        "2026-07-28, http-header-validation",
        "2026-07-28, input-required-result-unsupported-methods"
    })
    void the_conformance_suite_finds_nothing(String version, String scenario) throws Exception {
        Run run = conformance(version, scenario);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains("0 failed");
    }

    @Test
    void the_conformance_suite_finds_nothing_in_a_server_without_sessions_but_tools_of_its_own_missing()
            throws Exception {
        Run run = conformance("2026-07-28", "server-stateless");

        assertThat(run.output().lines().filter(line -> line.strip().startsWith("Error:")))
                .as(run.output())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).contains("Not testable", "diagnostic tool"));
        assertThat(run.output()).contains("Passed: 21/25");
    }

    private Run conformance(String version, String scenario) throws Exception {
        return clients.run(
                "node_modules/@modelcontextprotocol/conformance/dist/index.js",
                "server",
                "--url",
                broker.url() + "/mcp",
                "--scenario",
                scenario,
                "--spec-version",
                version);
    }
}
