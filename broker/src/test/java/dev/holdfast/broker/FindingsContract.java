package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.testing.McpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Findings, interdiff and attention as clients see them. */
abstract class FindingsContract extends OnWorkspace {
    private static final String FIRST = "--- a/x\n+++ b/x\n@@ -1,2 +1,5 @@\n a\n+one\n+two\n+three\n b\n";
    private static final String SECOND = FIRST.replace("+two", "+TWO");

    @BeforeEach
    void commit() {
        commit("a\nb\n");
    }

    @Test
    void a_finding_on_a_whole_file_blocks_until_somebody_has_looked() {
        String id = create("diff", FIRST);
        claim(id, "ann");
        assertThat(requestChanges(id, finding(0, "must_fix", "message", "belongs elsewhere"))
                        .status())
                .isEqualTo(200);
        JsonNode raised = caller.call("get_proposal", "review_id", id).body().at("/findings/0");
        assertThat(raised.path("line").asInt()).isZero();
        assertThat(raised.path("text").asString()).isEmpty();

        create("review_id", id, "diff", SECOND);
        assertThat(caller.call("get_proposal", "review_id", id)
                        .body()
                        .at("/findings/0/status")
                        .asString())
                .isEqualTo("outdated");
        claim(id, "bob");
        caller.call("get_proposal", "review_id", id, "caller_id", "bob");
        assertThat(verdict(id, "approved", "bob").text("error"))
                .contains("f1 (must_fix, outdated) at x, raised by ann");
    }

    @Test
    void findings_go_from_a_verdict_to_the_proposer_and_into_the_next_round() {
        String id = create("diff", FIRST);
        claim(id, "ann");
        Reply asked = requestChanges(
                id,
                finding(3, "must_fix", "suggestion", "deux"),
                finding(2, "note", "side", "old", "message", "why b?"));
        assertThat(asked.status()).as("%s", asked.body()).isEqualTo(200);
        assertThat(asked.body().path("findings").toString()).isEqualTo("[\"f1\",\"f2\"]");
        Reply status = caller.call("get_review_status", "review_id", id);
        assertThat(status.body().path("open_findings").asInt()).isEqualTo(2);
        assertThat(status.body().path("blocking_findings").asInt()).isEqualTo(1);
        JsonNode first = caller.call("get_proposal", "review_id", id).body().at("/findings/0");
        assertThat(first.path("status").asString()).isEqualTo("open");
        assertThat(first.path("text").asString()).isEqualTo("two");
        assertThat(first.path("suggestion").asString()).isEqualTo("deux");
        assertThat(first.path("raised_by").asString()).isEqualTo("ann");
        assertThat(caller.call("get_discussion", "review_id", id)
                        .body()
                        .at("/findings/1/side")
                        .asString())
                .isEqualTo("old");
        assertThat(caller.call("get_discussion", "review_id", id, "round", 2)
                        .body()
                        .path("findings"))
                .isEmpty();
        assertThat(caller.call("get_review_timeline", "review_id", id)
                        .body()
                        .at("/events/2/metadata/findings/0/path")
                        .asString())
                .isEqualTo("x");

        create("review_id", id, "diff", SECOND);
        assertThat(caller.call("get_proposal", "review_id", id)
                        .body()
                        .path("findings")
                        .valueStream()
                        .map(found -> found.path("status").asString()))
                .containsExactly("outdated", "open");
        claim(id, "bob");
        caller.call("get_proposal", "review_id", id, "caller_id", "bob");
        Reply blocked = verdict(id, "approved", "bob");
        assertThat(blocked.status()).isEqualTo(409);
        assertThat(blocked.text("error"))
                .startsWith("Approval blocked by finding f1 (must_fix, outdated) at x:3, raised by ann in round 1");
        assertThat(blocked.body().path("findings").toString()).isEqualTo("[\"f1\"]");
        Reply foreign = verdict(id, "approved", "bob", "resolved", List.of("f1"));
        assertThat(foreign.status()).isEqualTo(403);
        Reply approved = verdict(
                id, "approved", "bob", "waived", List.of(Map.of("id", "f1", "reason", "TWO is what ann asked for")));
        assertThat(approved.text("status")).isEqualTo("approved");
        JsonNode waived = caller.call("get_proposal", "review_id", id).body().at("/findings/0");
        assertThat(waived.path("status").asString()).isEqualTo("waived");
        assertThat(waived.path("settled_by").asString()).isEqualTo("bob");
        assertThat(waived.path("settled_reason").asString()).isEqualTo("TWO is what ann asked for");
        assertThat(caller.call("get_audit_log", "review_id", id)
                        .body()
                        .path("events")
                        .valueStream()
                        .map(event -> event.path("event_type").asString()))
                .containsSubsequence("review_revised", "review_claimed", "finding_waived", "verdict_submitted");
    }

    @Test
    void bad_findings_are_refused_with_what_is_wrong_and_change_nothing() {
        String id = create("diff", FIRST);
        claim(id, "ann");
        refused(id, finding(9, "note"), "does not show line 9 of the new x; it shows 1-5");
        refused(id, finding(2, "note", "path", "src/x"), "has no new file src/x; it has x");
        refused(id, finding(2, "grave"), "findings[0].severity must be one of must_fix, should_fix, note, not 'grave'");
        refused(id, finding(2, "note", "side", "left"), "findings[0].side must be one of new, old");
        refused(id, finding(-1, "note"), "findings[0].line must be from 0");
        refused(id, Map.of("path", "x"), "missing field findings[0].line");
        refused(id, finding(2, "note", "lines", 3), "unknown field findings[0].lines");
        refused(id, "text", "findings[0] must be a JSON object, not text");
        Reply many = verdict(id, "comment", "ann", "reason", "m", "findings", nCopies(51));
        assertThat(many.status()).isEqualTo(400);
        assertThat(many.text("error")).isEqualTo("findings has more than 50 entries");
        assertThat(caller.call("get_proposal", "review_id", id).body().path("findings"))
                .isEmpty();
    }

    @Test
    void findings_are_given_and_read_over_mcp_too() {
        String id = create("diff", FIRST);
        claim(id, "ann");
        JsonNode said = tool(
                "submit_verdict",
                Map.of(
                        "review_id",
                        id,
                        "verdict",
                        "comment",
                        "reason",
                        "hm",
                        "reviewer_id",
                        "ann",
                        "findings",
                        List.of(finding(3, "must_fix"))));
        assertThat(said.at("/findings/0").asString()).isEqualTo("f1");
        JsonNode shown = tool("get_proposal", Map.of("review_id", id, "caller_id", "ann"));
        assertThat(shown.at("/findings/0/line").asInt()).isEqualTo(3);
        JsonNode refused = tool("submit_verdict", Map.of("review_id", id, "verdict", "approved", "reviewer_id", "ann"));
        assertThat(refused.path("code").asString()).isEqualTo("bad_state");
        assertThat(refused.at("/findings/0").asString()).isEqualTo("f1");
        assertThat(mcp("resources/read", Map.of("uri", "review://" + id + "/rounds/1"))
                        .at("/contents/0/text")
                        .asString())
                .contains("Finding f1 (must_fix, open), raised in round 1.", "x:3: two", "this is wrong");
    }

    @Test
    void a_proposal_can_be_read_against_another_round() {
        String id = create("diff", FIRST);
        claim(id, "ann");
        verdict(id, "changes_requested", "ann", "reason", "no");
        create("review_id", id, "diff", SECOND);
        Reply changed = caller.call("get_proposal", "review_id", id, "against", 1);
        assertThat(changed.text("diff").lines().filter(line -> line.matches("[-+]\\w+")))
                .containsExactly("-two", "+TWO");
        assertThat(changed.body().path("against").asInt()).isEqualTo(1);
        assertThat(changed.body().path("diff_length").asInt())
                .isEqualTo(changed.text("diff").length());
        Reply missing = caller.call("get_proposal", "review_id", id, "against", 7);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.text("error")).isEqualTo("Review " + id + " has no round 7; its last is 2");
        assertThat(caller.call("get_proposal", "review_id", id, "against", 2).status())
                .isEqualTo(400);
        assertThat(caller.call("get_proposal", "review_id", id, "round", 0).status())
                .isEqualTo(400);
    }

    @Test
    void status_and_list_tell_whose_turn_it_is() {
        String first = create("diff", FIRST);
        String second = create();
        claim(first, "ann");
        assertThat(attention(first)).isEqualTo("reviewer ann");
        verdict(first, "changes_requested", "ann", "reason", "no");
        assertThat(attention(first)).isEqualTo("proposer gsd-executor");
        assertThat(attention(second)).isEqualTo("reviewer null");
        assertThat(listed()).containsExactly(first, second);
        assertThat(listed("order", "urgency")).containsExactly(first, second);
        assertThat(listed("order", "waiting")).containsExactly(second, first);
        caller.call("withdraw_review", "review_id", second, "reason", "not needed");
        assertThat(attention(second)).isEqualTo("nobody null");
        assertThat(listed("order", "waiting")).containsExactly(first);
        Reply both = caller.call("list_reviews", "status", "pending", "wait", true, "order", "waiting");
        assertThat(both.status()).isEqualTo(400);
    }

    private List<String> listed(Object... more) {
        return caller.call("list_reviews", more)
                .body()
                .path("reviews")
                .valueStream()
                .map(review -> review.path("id").asString())
                .toList();
    }

    private String attention(String id) {
        JsonNode attention =
                caller.call("get_review_status", "review_id", id).body().path("attention");
        assertThat(attention.path("since").asString()).endsWith("Z");
        return attention.path("turn").asString() + " "
                + (attention.path("who").isNull()
                        ? "null"
                        : attention.path("who").asString());
    }

    private void refused(String id, Object finding, String why) {
        Reply reply = verdict(id, "comment", "ann", "reason", "m", "findings", List.of(finding));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("error")).contains(why);
    }

    private static List<Object> nCopies(int many) {
        List<Object> findings = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            findings.add(finding(1, "note"));
        }
        return findings;
    }

    private static Map<String, Object> finding(int line, String severity, Object... more) {
        Map<String, Object> finding =
                new HashMap<>(Map.of("path", "x", "line", line, "severity", severity, "message", "this is wrong"));
        for (int i = 0; i < more.length; i += 2) {
            finding.put((String) more[i], more[i + 1]);
        }
        return finding;
    }

    private JsonNode tool(String name, Map<String, Object> arguments) {
        return mcp("tools/call", Map.of("name", name, "arguments", arguments)).path("structuredContent");
    }

    private JsonNode mcp(String method, Map<String, Object> params) {
        return caller.mcp(new McpRequest(method, params)).path("result");
    }

    private String create(Object... more) {
        return caller.call("create_review", Given.proposal(more)).text("review_id");
    }

    private void claim(String id, String reviewer) {
        assertThat(caller.call("claim_review", "review_id", id, "reviewer_id", reviewer)
                        .status())
                .isEqualTo(200);
    }

    private Reply requestChanges(String id, Object... findings) {
        return verdict(id, "changes_requested", "ann", "reason", "see findings", "findings", Arrays.asList(findings));
    }

    private Reply verdict(String id, String verdict, String reviewer, Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("review_id", id, "verdict", verdict, "reviewer_id", reviewer));
        arguments.addAll(Arrays.asList(more));
        return caller.call("submit_verdict", arguments.toArray());
    }
}
