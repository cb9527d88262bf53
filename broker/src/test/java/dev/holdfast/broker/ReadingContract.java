package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.McpRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every door that shows a proposal leaves a receipt for whoever holds it, and no other does. */
abstract class ReadingContract extends OnBroker {
    private static final String DIFF = diff(30);

    @Test
    void an_approval_of_what_was_not_read_is_refused_with_what_is_missing_and_what_to_call() {
        String id = claimed();
        Reply nothing = approve(id);
        assertThat(nothing.status()).isEqualTo(409);
        assertThat(nothing.text("code")).isEqualTo("unread");
        assertThat(nothing.text("error")).contains("ann was shown nothing", "get_proposal (caller_id: \"ann\")");

        Reply part = caller.call("get_proposal", "review_id", id, "caller_id", "ann", "limit", 100);
        assertThat(part.body().path("next_offset").asInt()).isEqualTo(100);
        Reply rest = approve(id);
        assertThat(rest.text("error")).contains("characters 100-" + DIFF.length(), "offset: 100)");
        JsonNode missing = rest.body().at("/missing/0");
        caller.call(
                "get_proposal",
                "review_id",
                id,
                "caller_id",
                "ann",
                "offset",
                missing.path("offset").asInt(),
                "limit",
                missing.path("limit").asInt());
        assertThat(approve(id).text("status")).isEqualTo("approved");
    }

    @Test
    void the_receipt_stands_in_status_timeline_and_gate() {
        String id = claimed();
        assertThat(status(id).path("read_by")).isEmpty();
        caller.call("get_proposal", "review_id", id, "caller_id", "ann", "limit", 100);
        JsonNode part = status(id).at("/read_by/0");
        assertThat(part.path("reviewer").asString()).isEqualTo("ann");
        assertThat(part.path("claim_generation").asInt()).isEqualTo(1);
        assertThat(part.path("characters_read").asInt()).isEqualTo(100);
        assertThat(part.path("characters").asInt()).isEqualTo(DIFF.length());
        assertThat(part.path("complete").asBoolean()).isFalse();
        caller.call("get_proposal", "review_id", id, "caller_id", "ann");
        assertThat(status(id).at("/read_by/0/complete").asBoolean()).isTrue();
        approve(id);
        JsonNode judged = caller.call("get_review_timeline", "review_id", id)
                .body()
                .path("events")
                .valueStream()
                .filter(event -> event.path("event_type").asString().equals("verdict_submitted"))
                .findFirst()
                .orElseThrow();
        assertThat(judged.at("/metadata/read_all").asBoolean()).isTrue();
        assertThat(gate().path("read_all").booleanValue()).isTrue();
    }

    @Test
    void a_reading_for_nobody_for_somebody_else_or_only_of_what_changed_does_not_count() {
        String id = claimed();
        caller.call("get_proposal", "review_id", id);
        caller.call("get_proposal", "review_id", id, "caller_id", "bob");
        assertThat(status(id).path("read_by")).isEmpty();
        caller.call("submit_verdict", Given.verdict(id, "changes_requested", "reason", "more", "reviewer_id", "ann"));
        create("review_id", id, "diff", diff(31));
        claim(id);
        caller.call("get_proposal", "review_id", id, "caller_id", "ann", "against", 1);
        caller.call("get_proposal", "review_id", id, "caller_id", "ann", "round", 1);
        assertThat(approve(id).text("code")).isEqualTo("unread");
    }

    @Test
    void a_resource_counts_for_who_is_named_in_its_address() {
        String id = claimed();
        assertThat(resource("review://" + id + "/rounds/1")).contains("+line 29");
        assertThat(resource("review://" + id + "/rounds/1?reviewer_id=bob")).contains("+line 29");
        assertThat(resource("review://" + id + "?reviewer_id=ann")).doesNotContain("+line 29");
        mcp("prompts/get", Map.of("name", "review", "arguments", Map.of("review_id", id, "reviewer_id", "ann")));
        assertThat(approve(id).text("code")).isEqualTo("unread");
        assertThat(resource("review://" + id + "/rounds/1?reviewer_id=ann")).contains("+line 29");
        assertThat(approve(id).text("status")).isEqualTo("approved");
    }

    @Test
    void of_a_text_the_answer_to_a_claim_shows_it_all() {
        create("description", "first this, then that");
        Reply claimed = caller.call("claim_next_review", "reviewer_id", "ann");
        assertThat(claimed.text("description")).isEqualTo("first this, then that");
        assertThat(approve(claimed.text("review_id")).text("status")).isEqualTo("approved");
        String other = create("description", "more");
        claim(other);
        assertThat(approve(other).text("status")).isEqualTo("approved");
        String third = create("description", "much more");
        caller.call("claim", "resource", "review:" + third, "holder", "ann");
        assertThat(approve(third).text("code"))
                .as("the generic claim shows nothing of it")
                .isEqualTo("unread");
    }

    @Test
    void with_managed_fences_the_predecessors_clients_approve_as_they_always_did() {
        restart(new Settings().put(Setting.REQUIRE_FENCE, "managed"));
        String id = claimed();
        caller.call("get_proposal", "review_id", id);
        Reply approved = caller.call("submit_verdict", "review_id", id, "verdict", "approved");
        assertThat(approved.text("status")).isEqualTo("approved");
        assertThat(gate().path("approved").asBoolean()).isTrue();
        assertThat(gate().path("read_all").booleanValue()).isFalse();
    }

    @Test
    void require_reading_can_be_switched_off_and_on_by_itself() {
        restart(new Settings().put(Setting.REQUIRE_READING, false));
        String id = claimed();
        assertThat(approve(id).text("status")).isEqualTo("approved");
        assertThat(gate().path("read_all").booleanValue()).isFalse();
        restart(new Settings().put(Setting.REQUIRE_FENCE, "managed").put(Setting.REQUIRE_READING, true));
        assertThat(approve(claimed()).text("code")).isEqualTo("unread");
    }

    final String claimed() {
        String id = create("diff", DIFF);
        claim(id);
        return id;
    }

    final Reply approve(String id) {
        return caller.call("submit_verdict", Given.verdict(id, "approved", "reviewer_id", "ann"));
    }

    final Reply claim(String id) {
        return caller.call("claim_review", "review_id", id, "reviewer_id", "ann");
    }

    private String create(Object... more) {
        Object[] usual = Given.proposal("intent", "count further", "project", "shop", "skip_diff_validation", true);
        return caller.call("create_review", Given.with(more, usual)).text("review_id");
    }

    private JsonNode status(String id) {
        return caller.call("get_review_status", "review_id", id).body();
    }

    private JsonNode gate() {
        return caller.call("check_approval", "project", "shop", "diff", DIFF).body();
    }

    private String resource(String address) {
        return mcp("resources/read", Map.of("uri", address))
                .at("/result/contents/0/text")
                .asString();
    }

    private JsonNode mcp(String method, Map<String, Object> params) {
        return caller.mcp(new McpRequest(method, params));
    }

    private static String diff(int lines) {
        StringBuilder diff = new StringBuilder("--- /dev/null\n+++ b/x\n@@ -0,0 +1," + lines + " @@\n");
        for (int i = 0; i < lines; i++) {
            diff.append("+line ").append(i).append('\n');
        }
        return diff.toString();
    }
}
