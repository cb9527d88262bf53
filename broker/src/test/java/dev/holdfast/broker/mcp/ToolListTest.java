package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.testing.GeneratedPart;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What a model reads before it does anything: few, well described tools, and no more text than they are worth. */
class ToolListTest extends OnMcp {
    /** Of a model's context, at four bytes a token. */
    private static final int MAX_TOKENS_PER_TOOL = 400;

    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
    private static final Pattern TOOL_NAMED = Pattern.compile("`([a-z_]+)`");

    @ParameterizedTest
    @EnumSource
    void the_list_is_short(Toolset toolset) {
        assertThat(bytes(toolset) / 4)
                .isLessThanOrEqualTo(MAX_TOKENS_PER_TOOL * tools(toolset).size());
    }

    @Test
    void the_docs_say_how_many_tools_each_address_has_and_how_long_the_list_is() throws IOException {
        GeneratedPart.of("mcp.md", "sizes")
                .mustBe(Stream.of(Toolset.values())
                        .map(toolset -> "| `%s` | %d | %.1f kB | %s |"
                                .formatted(
                                        toolset.path(),
                                        tools(toolset).size(),
                                        bytes(toolset) / 1000.0,
                                        purpose(toolset)))
                        .collect(Collectors.joining(
                                "\n",
                                "| endpoint | tools | size of the list | for |\n| --- | --- | --- | --- |\n",
                                "")));
    }

    private static String purpose(Toolset toolset) {
        return switch (toolset) {
            case CODER ->
                "an agent that takes work, changes code and has it reviewed; `holdfast init` sets this one up";
            case REVIEWS -> "reviews, the reviewer pool's tools, `heartbeat`";
            case WORK -> "claims, work, agents";
            case TASKS -> "tasks and their steps, `heartbeat`";
            case ALL ->
                "everything, including `get_events`, but not `override_approval`, which is for people ([gate.md](gate.md))";
        };
    }

    private int bytes(Toolset toolset) {
        return tools(toolset).toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void what_an_agent_needs_that_changes_code_takes_5000_tokens_at_most() {
        assertThat(names(Toolset.CODER))
                .contains("claim_next_work", "close_work", "create_review", "get_review_status", "close_review");
        assertThat(bytes(Toolset.CODER) / 4).isLessThanOrEqualTo(5_000);
    }

    /** Some clients put /mcp behind every address that does not end in it. */
    @ParameterizedTest
    @EnumSource
    void every_list_is_also_at_an_address_that_ends_in_mcp(Toolset toolset) {
        assertThat(toolset.paths()).anyMatch(path -> path.endsWith("/mcp"));
        for (String path : toolset.paths()) {
            assertThat(list(client.caller(), path)).isEqualTo(list(client.caller(), toolset));
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_tool_says_what_it_does_and_takes(Toolset toolset) {
        for (JsonNode tool : tools(toolset)) {
            assertThat(tool.path("title").asString()).isNotBlank();
            assertThat(tool.path("description").asString()).contains("Example: {");
            assertThat(tool.at("/inputSchema/type").asString()).isEqualTo("object");
            assertThat(tool.at("/inputSchema/additionalProperties").isBoolean()).isTrue();
            for (String hint : List.of("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")) {
                assertThat(tool.path("annotations").path(hint).isBoolean())
                        .as(hint)
                        .isTrue();
            }
        }
    }

    /** As code that a model writes must know the fields before it has seen an answer. */
    @Test
    void what_the_next_call_needs_is_named_before_it_is_answered_and_nothing_else() throws IOException {
        assertThat(tool("start_session").at("/outputSchema/properties").propertyNames())
                .contains("holder");
        assertThat(tool("claim_next_work").at("/outputSchema/properties").propertyNames())
                .contains("item", "claim");
        assertThat(tool("create_review").at("/outputSchema/properties").propertyNames())
                .contains("review_id", "revision");
        assertThat(tool("get_review_status").at("/outputSchema/properties").propertyNames())
                .contains("status", "version");
        String with = StreamSupport.stream(tools(Toolset.ALL).spliterator(), false)
                .filter(tool -> tool.has("outputSchema"))
                .map(tool -> tool.path("name").asString())
                .sorted()
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        GeneratedPart.of("mcp.md", "output schemas")
                .mustBe("Only tools whose answers the next call needs have an output schema: " + with + ".");
    }

    @ParameterizedTest
    @EnumSource
    void instructions_name_only_tools_that_are_there(Toolset toolset) {
        List<String> named = TOOL_NAMED
                .matcher(Instructions.of(toolset))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(named).isNotEmpty();
        assertThat(names(toolset).stream().map(name -> "`" + name + "`")).containsAll(named);
    }

    @Test
    void another_start_of_the_broker_lists_the_same_bytes(@TempDir Path another) throws Exception {
        try (BrokerProcess process = BrokerProcess.Start.onSqlite(another).now();
                BrokerClient caller = new BrokerClient(process.address().toString())) {
            for (Toolset toolset : Toolset.values()) {
                assertThat(list(caller, toolset)).isEqualTo(list(client.caller(), toolset));
            }
        }
    }

    private String list(BrokerClient caller, Toolset toolset) {
        return list(caller, toolset.path());
    }

    private String list(BrokerClient caller, String path) {
        return caller.send(caller.request(path)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(LIST)))
                .join()
                .raw()
                .body();
    }

    /** By chance two starts may agree on an order that is left to chance; this one is as written. */
    @Test
    void members_of_an_example_are_in_the_order_of_the_arguments() {
        JsonNode finding = tool("submit_verdict")
                .at("/inputSchema/properties/findings/examples")
                .path(0)
                .path(0);

        assertThat(finding.propertyNames()).containsExactly("path", "line", "severity", "message");
    }

    @Test
    void the_docs_name_the_tools_of_each_address() throws IOException {
        GeneratedPart.of("mcp.md", "tools")
                .mustBe(Stream.of(Toolset.values()).map(this::named).collect(Collectors.joining("\n")));
    }

    private String named(Toolset toolset) {
        List<String> elsewhere = Stream.of(Toolset.REVIEWS, Toolset.WORK, Toolset.TASKS)
                .filter(_ -> toolset == Toolset.ALL)
                .flatMap(other -> names(other).stream())
                .toList();
        assertThat(names(toolset)).containsAll(elsewhere);
        return names(toolset).stream()
                .filter(name -> !elsewhere.contains(name))
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(
                        ", ", "- `" + toolset.path() + "`: " + (elsewhere.isEmpty() ? "" : "all of these, and "), ""));
    }

    /** What is left out there stays as it is. */
    @Test
    void a_change_of_an_item_has_no_defaults() {
        for (JsonNode field : tool("update_work").at("/inputSchema/properties")) {
            assertThat(field.path("description").asString("")).doesNotContain("default");
            assertThat(field.has("default")).isFalse();
        }
    }

    @Test
    void an_agent_has_no_tool_to_override_the_gate() {
        assertThat(Toolset.values())
                .allSatisfy(toolset -> assertThat(names(toolset)).doesNotContain("override_approval"));
    }

    @Test
    void what_a_tool_knows_by_name_is_told() {
        assertThat(words("list_reviews", "status")).contains("pending", "claimed", "changes_requested", "closed");
        assertThat(words("submit_verdict", "verdict")).containsExactly("approved", "changes_requested", "comment");
        assertThat(words("add_message", "sender_role")).containsExactly("proposer", "reviewer");
        assertThat(words("close_review", "closer_role")).containsExactly("proposer");
    }

    private List<String> words(String tool, String argument) {
        return StreamSupport.stream(
                        tool(tool)
                                .at("/inputSchema/properties/" + argument + "/enum")
                                .spliterator(),
                        false)
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void hints_are_true() {
        assertThat(hint("who", "readOnlyHint")).isTrue();
        assertThat(hint("claim", "readOnlyHint")).isFalse();
        assertThat(hint("claim", "destructiveHint")).isFalse();
        assertThat(hint("claim_next", "idempotentHint")).isFalse();
        assertThat(hint("release", "destructiveHint")).isFalse();
        assertThat(hint("submit_verdict", "destructiveHint")).isTrue();
        assertThat(hint("release", "idempotentHint")).isTrue();
    }

    @Test
    void the_page_names_exactly_the_tools_that_are_marked_as_destructive() throws IOException {
        String marked = StreamSupport.stream(tools(Toolset.ALL).spliterator(), false)
                .filter(tool -> tool.at("/annotations/destructiveHint").asBoolean())
                .map(tool -> "`" + tool.path("name").asString() + "`")
                .sorted()
                .collect(Collectors.joining(", "));
        GeneratedPart.of("mcp.md", "destructive tools")
                .mustBe("Only tools that decide something for good are marked as destructive: " + marked + ".");
    }

    private boolean hint(String tool, String name) {
        return tool(tool).at("/annotations/" + name).asBoolean();
    }

    private JsonNode tool(String name) {
        return StreamSupport.stream(tools(Toolset.ALL).spliterator(), false)
                .filter(each -> each.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> names(Toolset toolset) {
        return StreamSupport.stream(tools(toolset).spliterator(), false)
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    private JsonNode tools(Toolset toolset) {
        return client.post(toolset.path(), LIST).body().at("/result/tools");
    }
}
