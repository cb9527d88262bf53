package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.AnotherProcess.Answer;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.testing.McpRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * An agent that reviews itself is found out by its process, without its help. The agents here are processes of their own, whose
 * sessions a hook has begun.
 */
@Timeout(120)
abstract class SelfReviewContract extends OnWorkspace {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    @BeforeEach
    void commit() {
        commit("a\n");
    }

    @Test
    void an_agent_and_the_commands_it_runs_can_not_review_what_it_proposed_whatever_they_call_themselves()
            throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            String claude = hookStart("claude", "h-1", agent);
            String id = propose(agent.child(), "holder", "somebody-else");
            assertThat(caller.call("get_review_status", "review_id", id)
                            .body()
                            .at("/proposer/agent")
                            .asString())
                    .isEqualTo(claude);
            for (AnotherProcess own : List.of(agent, agent.child())) {
                forbidden(own.call("claim_review", "review_id", id, "reviewer_id", "bob"));
                forbidden(own.call("claim", "resource", "review:" + id, "holder", "bob"));
                assertThat(own.call("claim_next_review", "reviewer_id", "bob")
                                .body()
                                .path("review_id")
                                .isNull())
                        .isTrue();
                assertThat(own.call("claim_next", "kind", "review", "holder", "bob")
                                .body()
                                .path("resource")
                                .isNull())
                        .isTrue();
                forbidden(own.call(
                        "override_approval", "project", "shop", "diff", DIFF, "by", "ann", "reason", "in a hurry"));
            }

            Reply claimed = caller.call("claim_review", "review_id", id, "reviewer_id", "bob");
            assertThat(claimed.status()).isEqualTo(200);
            caller.call("get_proposal", "review_id", id, "caller_id", "bob");
            caller.call(
                    "submit_verdict",
                    verdict(
                            id,
                            claimed.generation(),
                            "comment",
                            "findings",
                            List.of(Map.of("path", "x", "line", 1, "severity", "must_fix", "message", "no"))));
            for (AnotherProcess own : List.of(agent, agent.child())) {
                forbidden(own.call("submit_verdict", verdict(id, claimed.generation(), "approved")));
                forbidden(own.call("submit_verdict", verdict(id, claimed.generation(), "changes_requested")));
                forbidden(own.call(
                        "submit_verdict",
                        verdict(
                                id,
                                claimed.generation(),
                                "comment",
                                "waived",
                                List.of(Map.of("id", "f1", "reason", "no")))));
            }
            assertThat(caller.call("get_review_status", "review_id", id).text("status"))
                    .isEqualTo("claimed");
            Reply approved = caller.call(
                    "submit_verdict", verdict(id, claimed.generation(), "approved", "resolved", List.of("f1")));
            assertThat(approved.text("status")).isEqualTo("approved");
            assertThat(caller.call("check_approval", "project", "shop", "diff", DIFF)
                            .text("known_by"))
                    .isEqualTo("name");
        }
    }

    @Test
    void a_person_reviews_the_work_of_an_agent_that_was_started_from_the_same_terminal() throws Exception {
        try (AnotherProcess shell = AnotherProcess.calling(broker)) {
            AnotherProcess agent = shell.child();
            hookStart("claude", "h-1", agent);
            String id = propose(agent);
            forbidden(agent.call("claim_review", "review_id", id, "reviewer_id", "ann"));
            assertThat(shell.call("claim_review", "review_id", id, "reviewer_id", "ann")
                            .status())
                    .isEqualTo(200);
        }
    }

    /** A person's session in this shell. */
    private static void annStarts(AnotherProcess shell) throws Exception {
        shell.call(
                "start_session",
                "session_id",
                "monday",
                "kind",
                "person",
                "name",
                "ann",
                "host",
                Machine.here().name(),
                "pid",
                shell.pid());
    }

    @Test
    void a_person_with_a_session_in_its_shell_is_known_and_is_not_its_agents() throws Exception {
        try (AnotherProcess shell = AnotherProcess.calling(broker)) {
            annStarts(shell);
            AnotherProcess agent = shell.child();
            String claude = hookStart("claude", "h-1", agent);
            String id = propose(agent);
            assertThat(caller.call("get_review_status", "review_id", id)
                            .body()
                            .at("/proposer/agent")
                            .asString())
                    .isEqualTo(claude);
            Answer claimed = shell.call("claim_review", "review_id", id, "reviewer_id", "ann");
            shell.call("get_proposal", "review_id", id, "caller_id", "ann");
            shell.call(
                    "submit_verdict",
                    Given.verdict(
                            id,
                            "approved",
                            "reviewer_id",
                            "ann",
                            "claim_generation",
                            claimed.body().path("claim_generation").asLong()));
            Reply approved = caller.call("check_approval", "project", "shop", "diff", DIFF);
            assertThat(approved.text("known_by")).isEqualTo("session");
            assertThat(approved.text("engine")).isEqualTo("person");
        }
    }

    @Test
    void an_agent_does_not_become_a_person_by_saying_so() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", agent);
            String id = propose(agent);
            AnotherProcess shell = agent.child();
            shell.call(
                    "start_session",
                    "session_id",
                    "mine",
                    "kind",
                    "person",
                    "name",
                    "bob",
                    "host",
                    Machine.here().name(),
                    "pid",
                    shell.pid());
            forbidden(shell.call("claim_review", "review_id", id, "reviewer_id", "bob"));
        }
    }

    @Test
    void ending_moving_or_renaming_its_session_makes_no_agent_another() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", agent);
            String id = propose(agent);
            AnotherProcess child = agent.child();
            agent.call("start_session", session("h-1", "person", child.pid()));
            forbidden(agent.call("claim_review", "review_id", id, "reviewer_id", "bob"));
            forbidden(agent.call(
                    "override_approval", "project", "shop", "diff", DIFF, "by", "ann", "reason", "in a hurry"));
            agent.post(
                    "/hooks/claude",
                    Map.of(),
                    "{\"session_id\":\"h-1\",\"hook_event_name\":\"SessionEnd\",\"reason\":\"other\"}");
            forbidden(agent.call("claim_review", "review_id", id, "reviewer_id", "bob"));
            agent.call("start_session", session("h-2", "codex", agent.pid()));
            forbidden(agent.call("claim_review", "review_id", id, "reviewer_id", "bob"));
        }
    }

    @Test
    void nobody_changes_the_session_of_another_or_binds_one_to_its_process() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker);
                AnotherProcess victim = AnotherProcess.calling(broker)) {
            String proposer = hookStart("claude", "h-1", agent);
            hookStart("claude", "h-2", victim);
            String id = propose(agent);
            agent.call("start_session", "session_id", "h-2", "kind", "person", "parent", proposer);
            assertThat(agent.call("start_session", session("ghost", "claude", victim.pid()))
                            .body()
                            .path("error")
                            .asString())
                    .contains("neither an ancestor of yours nor started by you");
            assertThat(agent.call("start_session", session("ghost", "claude", 4_194_305))
                            .body()
                            .path("error")
                            .asString())
                    .contains("there is no process");
            assertThat(victim.call("claim_review", "review_id", id, "reviewer_id", "bob")
                            .status())
                    .isEqualTo(200);
        }
    }

    private static Object[] session(String id, String kind, long pid) {
        return new Object[] {
            "session_id", id, "kind", kind, "host", Machine.here().name(), "pid", pid
        };
    }

    @Test
    void a_proposer_does_not_read_in_the_place_of_whoever_reviews_it() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", agent);
            String id = propose(agent);
            Reply claimed = caller.call("claim_review", "review_id", id, "reviewer_id", "bob");
            for (AnotherProcess own : List.of(agent, agent.child())) {
                assertThat(own.call("get_proposal", "review_id", id, "caller_id", "bob")
                                .text("diff"))
                        .isEqualTo(DIFF);
                String resource = McpRequest.read("review://" + id + "/rounds/1?reviewer_id=bob")
                        .json();
                assertThat(own.post(
                                        "/mcp",
                                        Map.of("Accept", "application/json", "MCP-Protocol-Version", "2025-11-25"),
                                        resource)
                                .body()
                                .toString())
                        .contains("+b");
            }
            Reply unread = caller.call("submit_verdict", verdict(id, claimed.generation(), "approved"));
            assertThat(unread.text("code")).isEqualTo("unread");
            caller.call("get_proposal", "review_id", id, "caller_id", "bob");
            assertThat(caller.call("submit_verdict", verdict(id, claimed.generation(), "approved"))
                            .text("status"))
                    .isEqualTo("approved");
        }
    }

    @Test
    void an_agent_that_an_agent_starts_does_not_review_for_it() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", agent);
            String id = propose(agent);
            AnotherProcess started = agent.child();
            String codex = hookStart("codex", "h-2", started);
            forbidden(started.call("claim_review", "review_id", id, "reviewer_id", codex));
        }
    }

    @Test
    void sessions_that_share_a_process_count_as_one() throws Exception {
        try (AnotherProcess server = AnotherProcess.calling(broker)) {
            hookStart("codex", "h-1", server);
            hookStart("codex", "h-2", server);
            String id = propose(server);
            forbidden(server.call("claim_review", "review_id", id, "reviewer_id", "bob"));
            assertThat(caller.call("get_review_status", "review_id", id)
                            .body()
                            .at("/proposer/agent")
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    void an_agent_does_not_import_the_approval_of_its_work_and_a_person_may_import() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker);
                AnotherProcess shell = AnotherProcess.calling(broker)) {
            String claude = hookStart("claude", "h-1", agent);
            for (AnotherProcess own : List.of(agent, agent.child())) {
                for (boolean dry : List.of(true, false)) {
                    Answer refused =
                            own.call("import_reviews", "reviews", List.of(approvedElsewhere()), "dry_run", dry);
                    forbidden(refused);
                    assertThat(refused.text("error")).contains("import reviews", "a person's decision", claude);
                }
            }
            assertThat(caller.call("check_approval", "project", "shop", "diff", DIFF)
                            .body()
                            .path("approved")
                            .asBoolean())
                    .isFalse();
            assertThat(caller.call("get_review_status", "review_id", "old-1").text("code"))
                    .isEqualTo("not_found");

            annStarts(shell);
            assertThat(shell.call("import_reviews", "reviews", List.of(approvedElsewhere()))
                            .body()
                            .path("imported")
                            .asInt())
                    .isEqualTo(1);
            assertThat(caller.call("check_approval", "project", "shop", "diff", DIFF)
                            .body()
                            .path("approved")
                            .asBoolean())
                    .isTrue();
            assertThat(caller.call("import_reviews", "reviews", List.of(approvedElsewhere()))
                            .body()
                            .path("unchanged")
                            .asInt())
                    .as("who is not known is not known as an agent")
                    .isEqualTo(1);
        }
    }

    private static Map<String, Object> approvedElsewhere() {
        String at = "2026-11-01T10:00:00Z";
        Map<String, Object> review = new LinkedHashMap<>(Map.of("id", "old-1", "status", "approved", "round", 1));
        review.putAll(Map.of("intent", "add b", "agent_type", "executor", "agent_role", "proposer", "phase", "1"));
        review.putAll(Map.of("project", "shop", "diff", DIFF, "created_at", at, "updated_at", at));
        review.put(
                "verdicts",
                List.of(Map.of(
                        "verdict", "approved", "round", 1, "on_current", true, "reviewer", "somebody", "at", at)));
        return review;
    }

    @Test
    void many_agents_in_one_process_without_a_session_are_who_they_say_they_are() {
        String id =
                caller.call("create_review", proposal("holder", "implementer")).text("review_id");
        assertThat(caller.call("claim_review", "review_id", id, "reviewer_id", "implementer")
                        .text("code"))
                .isEqualTo("forbidden");
        assertThat(caller.call("claim_review", "review_id", id, "reviewer_id", "reviewer")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_header_tells_who_calls_where_nothing_else_does() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker);
                AnotherProcess other = AnotherProcess.calling(broker)) {
            String claude = hookStart("claude", "h-1", agent);
            for (String name : List.of("ann", claude)) {
                String id = other.post(
                                "/api/v1/create_review",
                                Map.of("Holdfast-Agent", name),
                                "{\"intent\":\"x\",\"agent_type\":\"t\",\"agent_role\":\"proposer\",\"phase\":\"1\"}")
                        .text("review_id");
                forbidden(other.call("claim_review", "review_id", id, "reviewer_id", name));
                Answer asBob = other.post(
                        "/api/v1/claim_review",
                        Map.of("Holdfast-Agent", name),
                        "{\"review_id\":\"" + id + "\",\"reviewer_id\":\"bob\"}");
                if (name.equals(claude)) {
                    forbidden(asBob);
                } else {
                    assertThat(asBob.status())
                            .as("a name of nobody's session is whatever the call says")
                            .isEqualTo(200);
                }
            }
        }
    }

    @Test
    void one_shell_can_propose_and_review_by_hand_as_nobody_that_is_known() throws Exception {
        try (AnotherProcess shell = AnotherProcess.calling(broker)) {
            String id = propose(shell);
            Answer claimed = shell.call("claim_review", "review_id", id, "reviewer_id", "bob");
            shell.call("get_proposal", "review_id", id, "caller_id", "bob");
            Answer approved = shell.call(
                    "submit_verdict",
                    verdict(id, claimed.body().path("claim_generation").asLong(), "approved"));
            assertThat(approved.text("status")).isEqualTo("approved");
        }
    }

    @Test
    void agents_on_mcp_are_known_by_their_processes_too() throws Exception {
        try (AnotherProcess agent = AnotherProcess.calling(broker);
                AnotherProcess other = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", agent);
            hookStart("claude", "h-2", other);
            String id = tool(agent, "create_review", proposal())
                    .at("/structuredContent/review_id")
                    .asString();
            Object[] claim = {"review_id", id, "reviewer_id", "bob"};
            for (AnotherProcess own : List.of(agent, agent.child())) {
                assertThat(tool(own, "claim_review", claim)
                                .at("/structuredContent/code")
                                .asString())
                        .isEqualTo("forbidden");
            }
            JsonNode claimed = tool(other, "claim_review", claim);
            assertThat(claimed.at("/structuredContent/status").asString())
                    .as(claimed.toString())
                    .isEqualTo("claimed");
            long generation = claimed.at("/structuredContent/claim_generation").asLong();
            tool(other, "get_proposal", "review_id", id, "caller_id", "bob");
            assertThat(tool(agent, "submit_verdict", verdict(id, generation, "approved"))
                            .at("/structuredContent/code")
                            .asString())
                    .isEqualTo("forbidden");
            assertThat(tool(other, "submit_verdict", verdict(id, generation, "approved"))
                            .at("/structuredContent/status")
                            .asString())
                    .isEqualTo("approved");
        }
    }

    @Test
    void where_another_make_is_asked_for_the_process_tells_it() throws Exception {
        restart(settings().put(Setting.FORBID_SAME_ENGINE, true));
        try (AnotherProcess claude = AnotherProcess.calling(broker);
                AnotherProcess another = AnotherProcess.calling(broker);
                AnotherProcess codex = AnotherProcess.calling(broker)) {
            hookStart("claude", "h-1", claude);
            hookStart("claude", "h-2", another);
            hookStart("codex", "h-3", codex);
            String id = propose(claude);
            Answer alike = another.call("claim_review", "review_id", id, "reviewer_id", "bob");
            forbidden(alike);
            assertThat(alike.text("error")).contains("reviews.forbid_same_engine");
            forbidden(claude.call("claim_review", "review_id", id, "reviewer_id", "bob"));
            assertThat(codex.call("claim_review", "review_id", id, "reviewer_id", "bob")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void where_reviewers_must_be_known_nobody_unknown_imports_reviews() {
        restart(settings().put(Setting.REVIEWERS, "known"));
        Reply refused = caller.call("import_reviews", "reviews", List.of(approvedElsewhere()));
        assertThat(refused.text("code")).isEqualTo("forbidden");
        assertThat(refused.text("error")).contains("import reviews", "reviews.reviewers");
    }

    @Test
    void where_reviewers_must_be_known_a_name_is_refused_and_a_session_is_not() throws Exception {
        restart(settings().put(Setting.REVIEWERS, "known"));
        try (AnotherProcess reviewer = AnotherProcess.calling(broker)) {
            String id = caller.call("create_review", proposal()).text("review_id");
            Reply unknown = caller.call("claim_review", "review_id", id, "reviewer_id", "bob");
            assertThat(unknown.text("code")).isEqualTo("forbidden");
            assertThat(unknown.text("error")).contains("reviews.reviewers");
            String claude = hookStart("claude", "h-1", reviewer);
            assertThat(caller.call("claim_review", "review_id", id, "reviewer_id", claude)
                            .text("code"))
                    .as("its name alone")
                    .isEqualTo("forbidden");
            assertThat(reviewer.call("claim_review", "review_id", id, "reviewer_id", claude)
                            .status())
                    .isEqualTo(200);
        }
    }

    private static JsonNode tool(AnotherProcess from, String name, Object... arguments) throws Exception {
        String request = McpRequest.toolCall(name, Given.map(arguments)).json();
        return from.post("/mcp", Map.of("Accept", "application/json, text/event-stream"), request)
                .body()
                .path("result");
    }

    private String hookStart(String host, String session, AnotherProcess process) throws Exception {
        Machine here = Machine.here();
        Answer answer = process.post(
                "/hooks/" + host,
                Map.of(
                        "Holdfast-Pid", Long.toString(process.pid()),
                        "Holdfast-Host", here.name(),
                        "Holdfast-Space", here.space()),
                "{\"session_id\":\"" + session + "\",\"hook_event_name\":\"SessionStart\",\"cwd\":\"/\"}");
        String said = answer.body().at("/hookSpecificOutput/additionalContext").asString();
        return said.replaceAll(".*your agent id is ([a-z0-9-]+);.*", "$1");
    }

    private static String propose(AnotherProcess from, Object... more) throws Exception {
        Answer made = from.call("create_review", proposal(more));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        return made.text("review_id");
    }

    private static Object[] proposal(Object... more) {
        return Given.with(more, Given.proposal("project", "shop", "diff", DIFF));
    }

    private static Object[] verdict(String id, long generation, String verdict, Object... more) {
        return Given.with(
                more,
                Given.verdict(id, verdict, "reason", "because", "reviewer_id", "bob", "claim_generation", generation));
    }

    private static void forbidden(Answer answer) {
        assertThat(answer.code()).as(answer.body().toString()).isEqualTo("forbidden");
    }
}
