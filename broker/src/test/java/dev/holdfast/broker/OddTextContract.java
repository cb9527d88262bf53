package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Text that no store can keep, and what else callers send by mistake: told to whoever sent it, and the same on every store. */
abstract class OddTextContract extends OnBroker {
    private JsonNode hook(String host, String body) {
        return caller.send(caller.request("/hooks/" + host)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)))
                .join()
                .body();
    }

    @Test
    void a_hook_whose_id_no_store_can_keep_is_told_so_and_changes_nothing() {
        for (String field : List.of("session_id", "agent_id", "tool_use_id")) {
            String bad = "{\"hook_event_name\":\"PreToolUse\",\"tool_use_id\":\"t\",\"session_id\":\"s\",\"" + field
                    + "\":\"a\\u0000b\"}";
            for (String host : List.of("claude", "codex")) {
                assertThat(hook(host, bad).path("systemMessage").asString())
                        .contains(host)
                        .contains(field + " contains a NUL character");
            }
        }
        assertThat(caller.events()).isZero();
    }

    @Test
    void a_hook_with_something_after_its_json_is_told_so_and_changes_nothing() {
        String start = "{\"hook_event_name\":\"SessionStart\",\"session_id\":\"s\"}";
        for (String after : List.of("{}", "x", "]", " 1", "reToolUse\"}")) {
            assertThat(hook("claude", start + after).path("systemMessage").asString())
                    .as(after)
                    .contains("Holdfast ignored a hook call of claude");
        }
        assertThat(caller.events()).isZero();

        assertThat(hook("claude", start + "\n ").has("hookSpecificOutput")).isTrue();
        assertThat(caller.events()).isEqualTo(1);
    }

    @Test
    void a_queue_that_no_store_can_keep_is_refused_under_its_name_not_mended() {
        for (Object[] call : List.of(
                new Object[] {"list_work"},
                new Object[] {"ready_work"},
                new Object[] {"blocked_work"},
                new Object[] {"who"},
                new Object[] {"export_work"},
                new Object[] {"create_work", "title", "a title"},
                new Object[] {"claim_next_work", "holder", "ann"},
                new Object[] {"check_path", "holder", "ann", "path", "a"},
                new Object[] {"import_work", "lines", "{\"title\":\"fine\"}"})) {
            Object[] arguments = Arrays.copyOfRange(call, 1, call.length + 2);
            arguments[call.length - 1] = "queue";
            arguments[call.length] = "a\u0000b";
            BrokerClient.Reply refused = caller.call((String) call[0], arguments);
            assertThat(refused.text("error")).as((String) call[0]).isEqualTo("queue contains a NUL character");
            assertThat(refused.status()).isEqualTo(400);
        }
        assertThat(caller.call("list_work").body().path("items")).isEmpty();
    }

    @Test
    void an_import_with_text_that_no_store_can_keep_names_its_lines() {
        JsonNode done = caller.call(
                        "import_work",
                        "lines",
                        "{\"_type\":\"a\\u0000b\",\"key\":\"k\"}\n{\"title\":\"x\",\"created_by\":\"a\\u0000b\"}\n"
                                + "{\"title\":\"fine\"}")
                .body();

        assertThat(done.path("created").asInt()).isEqualTo(1);
        assertThat(done.path("problems")).hasSize(2);
    }
}
