package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.testing.GeneratedPart;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OpenApiTest {
    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "integer", "boolean", "null", "number");

    @TempDir
    static Path folder;

    static Broker broker;
    static JsonNode document;

    @BeforeAll
    static void read() {
        broker = Broker.start(Config.in(TestSqlite.in(folder)));
        try (BrokerClient caller = new BrokerClient(broker)) {
            document = caller.get("/api/v1/openapi.json").body();
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void every_verb_is_there() {
        assertThat(document.path("openapi").asString()).startsWith("3.1.");
        assertThat(document.path("paths").propertyNames())
                .containsExactlyElementsOf(Stream.concat(broker.verbs().stream().map(Verb::name), Stream.of("events"))
                        .map(name -> "/api/v1/" + name)
                        .toList());
    }

    @Test
    void the_page_of_verbs_is_theirs() throws IOException {
        StringBuilder page = new StringBuilder("| verb | arguments | what it does | MCP endpoints |\n");
        page.append("| --- | --- | --- | --- |\n");
        for (Verb verb : broker.verbs()) {
            String arguments = verb.arguments().stream()
                    .map(field -> field.required() ? field.name() : "[" + field.name() + "]")
                    .collect(Collectors.joining(", "));
            String endpoints = Arrays.stream(Toolset.values())
                    .filter(toolset -> toolset != Toolset.ALL && toolset.offers(verb))
                    .map(toolset -> "`" + toolset.path() + "`")
                    .collect(Collectors.joining(", "));
            page.append("| `%s` | %s | %s%s | %s |\n"
                    .formatted(
                            verb.name(),
                            arguments,
                            document.at("/paths/~1api~1v1~1" + verb.name() + "/post/summary")
                                    .asString()
                                    .replace("|", "\\|"),
                            verb.effect().readOnly() ? " (reads only)" : "",
                            Toolset.ALL.offers(verb) ? endpoints : "none: for people"));
        }
        GeneratedPart.of("verbs.md", "verbs").mustBe(page.toString());
    }

    @Test
    void every_operation_has_an_id_of_its_own_and_answers_that_are_described() {
        List<String> ids = new ArrayList<>();
        for (JsonNode path : document.path("paths").values()) {
            for (JsonNode operation : path.values()) {
                ids.add(operation.path("operationId").asString());
                assertThat(operation.path("summary").asString()).isNotBlank();
                assertThat(operation.path("responses").has("200")).isTrue();
                for (JsonNode response : operation.path("responses").values()) {
                    assertThat(response.has("$ref") || response.has("description"))
                            .isTrue();
                }
            }
        }
        assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
    }

    @Test
    void every_reference_leads_somewhere_and_every_schema_is_one() {
        walk(document, "");
    }

    private static void walk(JsonNode node, String where) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            String at = where + "/" + entry.getKey();
            JsonNode value = entry.getValue();
            if (entry.getKey().equals("$ref")) {
                assertThat(document.at(value.asString().substring(1)).isMissingNode())
                        .as(at)
                        .isFalse();
            }
            if (entry.getKey().equals("schema") || where.endsWith("/properties") || where.endsWith("/schemas")) {
                checkSchema(value, at);
            }
            walk(value, at);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            walk(node.get(i), where + "/" + i);
        }
    }

    private static void checkSchema(JsonNode schema, String at) {
        if (schema.has("$ref")) {
            return;
        }
        JsonNode type = schema.path("type");
        List<JsonNode> types = type.isArray() ? List.copyOf(type.values()) : List.of(type);
        assertThat(types)
                .as(at)
                .isNotEmpty()
                .allSatisfy(one -> assertThat(TYPES).contains(one.asString()));
        if (types.getFirst().asString().equals("array")) {
            checkSchema(schema.path("items"), at + "/items");
        }
        for (JsonNode required : schema.path("required").values()) {
            assertThat(schema.path("properties").has(required.asString()))
                    .as(at)
                    .isTrue();
        }
    }
}
