package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

/** Who may act for whom: names, sessions and what belongs to brokers. */
@Timeout(120)
abstract class IdentityContract extends OnBroker {
    @Test
    void a_session_cannot_have_the_name_of_somebody_who_holds_something() {
        caller.call("claim", "resource", "key:deploy", "holder", "deploy-bot");
        Reply taken = caller.call("start_session", "session_id", "mine", "kind", "person", "name", "deploy-bot");
        assertThat(taken.text("holder")).startsWith("deploy-bot-");
        assertThat(caller.call("end_session", "session_id", "mine").body().path("released"))
                .isEmpty();
        assertThat(holder("key:deploy")).isEqualTo("deploy-bot");
    }

    @Test
    void a_person_keeps_its_name_in_the_same_session_and_has_another_in_a_second_one() {
        assertThat(person("monday", "ann")).isEqualTo("ann");
        caller.call("claim", "resource", "key:a", "holder", "ann");
        assertThat(person("monday", "ann")).isEqualTo("ann");
        assertThat(person("other terminal", "ann")).startsWith("ann-");
        assertThat(caller.call("end_session", "session_id", "other terminal")
                        .body()
                        .path("released"))
                .isEmpty();
        assertThat(holder("key:a")).isEqualTo("ann");
    }

    @Test
    void names_of_the_broker_and_of_its_reviewers_are_nobody_elses() {
        for (String name : List.of("codex-r1-0a1b2c3d", "pool-manager", "broker-validator", "broker:x", "broker")) {
            Reply refused = caller.call("start_session", "session_id", "s", "kind", "person", "name", name);
            assertThat(refused.text("code")).as(name).isEqualTo("invalid");
        }
        assertThat(caller.call("list_agents", "all", true).body().path("agents"))
                .isEmpty();
        Reply finisher = caller.call("heartbeat", "holder", "broker-laptop-4711-9af3");
        assertThat(finisher.text("code")).isEqualTo("unauthorized");
    }

    @Test
    void a_session_is_ended_by_what_starting_it_gave_and_by_nobody_else() throws Exception {
        try (AnotherProcess other = AnotherProcess.calling(broker)) {
            String mine = caller.call("start_session", "session_id", "s-1", "kind", "claude")
                    .text("holder");
            caller.call("claim", "resource", "key:mine", "holder", mine);
            AnotherProcess.Answer theirs = other.call("start_session", "session_id", "s-2", "kind", "claude");
            other.call("claim", "resource", "key:theirs", "holder", theirs.text("holder"));

            Reply refused = caller.call("end_session", "session_id", "s-2");
            assertThat(refused.text("code")).isEqualTo("forbidden");
            assertThat(caller.call("end_session", "session_id", "s-2", "session_key", "guessed")
                            .text("code"))
                    .isEqualTo("forbidden");
            // who says hello in another's session is told no key, and does not become its owner
            Reply hello = caller.call("start_session", "session_id", "s-2", "kind", "claude");
            assertThat(hello.text("holder")).isEqualTo(theirs.text("holder"));
            assertThat(hello.body().has("session_key")).isFalse();
            assertThat(caller.call("end_session", "session_id", "s-2").text("code"))
                    .isEqualTo("forbidden");
            assertThat(holder("key:theirs")).isEqualTo(theirs.text("holder"));

            assertThat(caller.call("end_session", "session_id", "s-2", "session_key", theirs.text("session_key"))
                            .body()
                            .path("released"))
                    .hasSize(1);
            assertThat(caller.call("end_session", "session_id", "s-1").status()).isEqualTo(200);
        }
    }

    /** Whether the call or the hanging up is seen first is chance; unknown it never is. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void a_call_whose_sender_has_hung_up_is_not_carried_out_as_unknown() throws Exception {
        caller.call(
                "start_session", Given.session("s-1", ProcessHandle.current().pid()));
        int calls = 10;
        double before = answered();
        for (int i = 0; i < calls; i++) {
            callAndHangUp(
                    "create_review",
                    "{\"intent\":\"change " + i
                            + "\",\"agent_type\":\"gsd-executor\",\"agent_role\":\"proposer\",\"phase\":\"1\"}");
        }
        await().until(() -> answered() >= before + calls);
        for (JsonNode event : caller.call("get_events", "limit", 100).body().path("events")) {
            if (event.path("type").asString().equals("review_created")) {
                assertThat(event.path("detail")
                                .path("metadata")
                                .path("known_by")
                                .asString(""))
                        .isEqualTo("session");
            }
        }
    }

    private void callAndHangUp(String verb, String arguments) throws IOException {
        URI url = URI.create(broker.url());
        byte[] body = arguments.getBytes(StandardCharsets.UTF_8);
        String head = "POST /api/v1/" + verb + " HTTP/1.1\r\nHost: " + url.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream().write((head + arguments).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** How many calls over REST have been answered, or would have been. */
    private double answered() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(broker.url() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("holdfast_http_seconds_count{door=\"api\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }

    @Test
    void a_process_may_end_the_session_that_it_runs_in_and_so_may_its_children() throws Exception {
        try (AnotherProcess supervisor = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            AnotherProcess host = supervisor.child();
            for (AnotherProcess own : List.of(supervisor, host, host.child())) {
                supervisor.call(
                        "start_session", "session_id", "s-1", "kind", "codex", "host", here(), "pid", host.pid());
                assertThat(stranger.call("end_session", "session_id", "s-1").code())
                        .isEqualTo("forbidden");
                assertThat(own.call("end_session", "session_id", "s-1").status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void who_starts_its_live_session_again_gets_a_key_that_ends_it() throws Exception {
        try (AnotherProcess owner = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            owner.call("start_session", "session_id", "s-1", "kind", "codex");
            String key = owner.call("start_session", "session_id", "s-1", "kind", "codex")
                    .text("session_key");
            assertThat(stranger.call("end_session", "session_id", "s-1", "session_key", key)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_brokers_own_identity_is_not_for_the_doors() {
        await().until(() -> !broker.claims().held(Kind.BROKER, null, null).isEmpty());
        Claim identity = broker.claims().held(Kind.BROKER, null, null).getFirst();
        Object[] fence = {"holder", identity.holder(), "claim_generation", identity.generation()};
        for (String verb : List.of("release", "heartbeat")) {
            assertThat(caller.call(verb, with("resource", identity.resource().toString(), fence))
                            .text("code"))
                    .as(verb)
                    .isEqualTo("forbidden");
        }
        assertThat(caller.call("claim", "resource", "broker:mine", "holder", "ann")
                        .text("code"))
                .isEqualTo("forbidden");
        assertThat(caller.call("heartbeat", "holder", identity.holder()).body().path("extended"))
                .isEmpty();
        assertThat(broker.claims().held(Kind.BROKER, null, null))
                .extracting(Claim::fence)
                .containsExactly(identity.fence());
        assertThat(caller.call("who", "kind", "broker").body().path("holders")).hasSize(1);
    }

    @Test
    void a_hook_neither_ends_nor_moves_a_session_of_another_process() throws Exception {
        try (AnotherProcess host = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            hook(host, host, "SessionStart");
            String agent = onlyAgent();
            caller.call("claim", "resource", "key:a", "holder", agent);
            hook(stranger, host, "SessionEnd");
            assertThat(holder("key:a")).isEqualTo(agent);

            hook(stranger, stranger, "SessionStart");
            hook(stranger, stranger, "SessionEnd");
            assertThat(holder("key:a")).as("it was not moved").isEqualTo(agent);
            hook(stranger, host, "SessionStart");
            assertThat(caller.call("list_agents").body().at("/agents/0/pid").asLong())
                    .isEqualTo(host.pid());

            hook(host.child(), host, "SessionEnd");
            assertThat(caller.call("list_agents").body().path("agents")).isEmpty();
            assertThat(caller.call("who").text("message")).isEqualTo("nobody holds anything");
        }
    }

    @Test
    void no_hook_ends_a_session_that_has_a_key_and_no_process() throws Exception {
        try (AnotherProcess owner = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            AnotherProcess.Answer keyed = owner.call("start_session", "session_id", "keyed-1", "kind", "claude");
            String agent = keyed.text("holder");
            caller.call("claim", "resource", "key:a", "holder", agent);
            for (String host : List.of("claude", "codex")) {
                stranger.post("/hooks/" + host, Map.of(), event("SessionEnd", "keyed-1", "\"reason\":\"other\""));
                hook(stranger, stranger, "SessionStart", "keyed-1");
                hook(stranger, stranger, "SessionEnd", "keyed-1");
                assertThat(holder("key:a")).as(host).isEqualTo(agent);
            }
            assertThat(caller.call("end_session", "session_id", "keyed-1", "session_key", keyed.text("session_key"))
                            .body()
                            .path("released"))
                    .hasSize(1);
        }
    }

    @Test
    void a_subagent_is_ended_by_its_sessions_process_and_by_no_stranger() throws Exception {
        try (AnotherProcess host = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            String stop = event("SubagentStop", "x2", "\"agent_id\":\"su\"");
            for (String end : List.of(stop, event("SessionEnd", "x2/su", "\"reason\":\"other\""))) {
                hook(host, host, "SessionStart", "x2");
                host.post("/hooks/claude", Map.of(), event("SubagentStart", "x2", "\"agent_id\":\"su\""));
                host.post("/hooks/claude", Map.of(), event("SubagentStart", "x2/su", "\"agent_id\":\"deep\""));
                String su = agentOf("x2/su");
                String deep = agentOf("x2/su/deep");
                caller.call("claim", "resource", "key:su", "holder", su);
                caller.call("claim", "resource", "key:deep", "holder", deep);

                stranger.post("/hooks/claude", Map.of(), end);
                stranger.post("/hooks/claude", Map.of(), event("SessionEnd", "x2/su/deep", "\"reason\":\"other\""));
                hook(stranger, stranger, "SessionStart", "x2/su");
                hook(stranger, stranger, "SessionEnd", "x2/su");
                stranger.call(
                        "start_session",
                        "session_id",
                        "x2/su",
                        "kind",
                        "claude",
                        "host",
                        here(),
                        "pid",
                        stranger.pid());
                assertThat(stranger.call("end_session", "session_id", "x2/su").code())
                        .isEqualTo("forbidden");
                assertThat(holder("key:su")).as(end).isEqualTo(su);
                assertThat(holder("key:deep")).as(end).isEqualTo(deep);

                host.child().post("/hooks/claude", Map.of(), end);
                assertThat(holder("key:su")).as(end).isEqualTo("nobody");
                assertThat(agentOf("x2")).isNotEmpty();
            }
        }
    }

    @Test
    void the_end_of_a_subagent_ends_no_session_whose_own_id_reads_like_it() throws Exception {
        try (AnotherProcess host = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            Object[] start = {"kind", "claude", "host", here(), "pid", host.pid()};
            host.call("start_session", with("session_id", "team/alice", start));
            host.call("start_session", "session_id", "team/bob", "kind", "claude");
            hook(host, host, "SessionStart", "team/carol");
            for (String name : List.of("alice", "bob", "carol")) {
                String agent = agentOf("team/" + name);
                caller.call("claim", "resource", "key:" + name, "holder", agent);
                String stop = event("SubagentStop", "team", "\"agent_id\":\"" + name + "\"");
                stranger.post("/hooks/claude", Map.of(), stop);
                assertThat(holder("key:" + name)).as("nobody has session team").isEqualTo(agent);
            }
            hook(stranger, stranger, "SessionStart", "team");
            for (String name : List.of("alice", "bob", "carol")) {
                String stop = event("SubagentStop", "team", "\"agent_id\":\"" + name + "\"");
                stranger.post("/hooks/claude", Map.of(), stop);
                assertThat(holder("key:" + name)).as("the stranger has").isEqualTo(agentOf("team/" + name));
            }
        }
    }

    @Test
    void a_call_that_runs_keeps_its_claims_whatever_hooks_a_stranger_plays() throws Exception {
        try (AnotherProcess host = AnotherProcess.calling(broker);
                AnotherProcess stranger = AnotherProcess.calling(broker)) {
            hook(host, host, "SessionStart");
            String agent = onlyAgent();
            // a real one, which the broker renews by itself before it ends
            caller.call("claim", "resource", "key:a", "holder", agent, "ttl_seconds", 9);
            host.post("/hooks/claude", Map.of(), event("PreToolUse", "h-1", "\"tool_use_id\":\"t1\""));
            for (String end : List.of("Stop", "Interrupt", "UserPromptSubmit")) {
                stranger.post("/hooks/claude", Map.of(), event(end, "h-1", "\"reason\":\"other\""));
            }
            hook(stranger, stranger, "SessionStart");
            String beat = lastBeat();
            await().until(() -> !lastBeat().equals(beat));
            assertThat(holder("key:a")).isEqualTo(agent);
        }
    }

    /** Of the only claim. */
    private String lastBeat() {
        return caller.call("who").body().at("/holders/0/claims/0/last_beat_at").asString();
    }

    private String agentOf(String session) {
        for (JsonNode agent : caller.call("list_agents").body().path("agents")) {
            if (agent.path("session_id").asString().equals(session)) {
                return agent.path("holder").asString();
            }
        }
        return "";
    }

    private static String event(String event, String session, String more) {
        return "{\"session_id\":\"" + session + "\",\"hook_event_name\":\"" + event + "\",\"cwd\":\"/\"," + more + "}";
    }

    @Test
    void a_session_that_is_resumed_after_its_process_died_lives_in_the_new_one() throws Exception {
        try (AnotherProcess first = AnotherProcess.calling(broker);
                AnotherProcess second = AnotherProcess.calling(broker)) {
            hook(first, first, "SessionStart");
            String agent = onlyAgent();
            first.kill();
            hook(second, second, "SessionStart");
            assertThat(onlyAgent()).isEqualTo(agent);
            assertThat(caller.call("list_agents").body().at("/agents/0/pid").asLong())
                    .isEqualTo(second.pid());
        }
    }

    private static void hook(AnotherProcess from, AnotherProcess says, String event) throws Exception {
        hook(from, says, event, "h-1");
    }

    private static void hook(AnotherProcess from, AnotherProcess says, String event, String session) throws Exception {
        Machine here = Machine.here();
        from.post(
                "/hooks/claude",
                Map.of(
                        "Holdfast-Pid", Long.toString(says.pid()),
                        "Holdfast-Host", here.name(),
                        "Holdfast-Space", here.space()),
                event(event, session, "\"reason\":\"other\""));
    }

    private String onlyAgent() {
        return caller.call("list_agents").body().at("/agents/0/holder").asString();
    }

    private static String here() {
        return Machine.here().name();
    }

    private String person(String session, String name) {
        return caller.call("start_session", "session_id", session, "kind", "person", "name", name)
                .text("holder");
    }

    private String holder(String resource) {
        for (Claim claim : broker.claims().held(null, null, null)) {
            if (claim.resource().toString().equals(resource)) {
                return claim.holder();
            }
        }
        return "nobody";
    }

    private static Object[] with(String name, Object value, Object... more) {
        Object[] all = new Object[more.length + 2];
        all[0] = name;
        all[1] = value;
        System.arraycopy(more, 0, all, 2, more.length);
        return all;
    }
}
