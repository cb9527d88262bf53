package dev.holdfast.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        broker = Broker.start(Config.in(folder));
        try (Caller caller = new Caller(broker)) {
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
                .containsExactlyInAnyOrder(
                        "/api/v1/claim",
                        "/api/v1/claim_next",
                        "/api/v1/heartbeat",
                        "/api/v1/release",
                        "/api/v1/who",
                        "/api/v1/create_task",
                        "/api/v1/add_steps",
                        "/api/v1/get_task",
                        "/api/v1/list_tasks",
                        "/api/v1/cancel_task",
                        "/api/v1/claim_step",
                        "/api/v1/claim_next_step",
                        "/api/v1/complete_step",
                        "/api/v1/fail_step",
                        "/api/v1/claim_finalization",
                        "/api/v1/extend_finalization",
                        "/api/v1/release_finalization",
                        "/api/v1/finish_task",
                        "/api/v1/get_finalization_attempts",
                        "/api/v1/get_work",
                        "/api/v1/list_work",
                        "/api/v1/ready_work",
                        "/api/v1/blocked_work",
                        "/api/v1/create_work",
                        "/api/v1/update_work",
                        "/api/v1/add_dependency",
                        "/api/v1/remove_dependency",
                        "/api/v1/claim_work",
                        "/api/v1/claim_next_work",
                        "/api/v1/close_work",
                        "/api/v1/reserve_paths",
                        "/api/v1/check_path",
                        "/api/v1/import_work",
                        "/api/v1/export_work",
                        "/api/v1/create_review",
                        "/api/v1/list_reviews",
                        "/api/v1/claim_review",
                        "/api/v1/get_proposal",
                        "/api/v1/submit_verdict",
                        "/api/v1/close_review",
                        "/api/v1/accept_counter_patch",
                        "/api/v1/reject_counter_patch",
                        "/api/v1/get_review_status",
                        "/api/v1/add_message",
                        "/api/v1/get_discussion",
                        "/api/v1/get_activity_feed",
                        "/api/v1/get_audit_log",
                        "/api/v1/get_review_stats",
                        "/api/v1/get_review_timeline",
                        "/api/v1/spawn_reviewer",
                        "/api/v1/kill_reviewer",
                        "/api/v1/list_reviewers",
                        "/api/v1/get_reviewer_log",
                        "/api/v1/claim_next_review",
                        "/api/v1/release_review",
                        "/api/v1/withdraw_review",
                        "/api/v1/check_approval",
                        "/api/v1/override_approval",
                        "/api/v1/import_reviews",
                        "/api/v1/get_events",
                        "/api/v1/start_session",
                        "/api/v1/end_session",
                        "/api/v1/list_agents",
                        "/api/v1/events");
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
