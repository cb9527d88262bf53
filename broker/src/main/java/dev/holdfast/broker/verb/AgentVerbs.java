package dev.holdfast.broker.verb;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.Process;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who is there: {@code start_session end_session list_agents}. */
public final class AgentVerbs {
    private static final int LONGEST_NAME = 150;

    private static final Field SESSION = Field.text(
                    "session_id", Text.LONGEST_HOLDER, "the id of your session; the same one is the same agent")
            .must()
            .example("0b0f6c1e-57c2-4d0e-9a4e-2f6b8d1c7a55");

    private static final List<Field> ABOUT = List.of(
            Field.text("kind", 40, "what you are: claude, codex, person, processor or the like")
                    .must()
                    .example("claude"),
            Field.text("name", LONGEST_NAME, "a name that people know you by"),
            Field.text("parent", LONGEST_NAME, "the agent that started you"),
            Field.text("host", LONGEST_NAME, "the machine you run on"),
            Field.integer("pid", 0L, null, "your process; you end with it"),
            Field.text("project", LONGEST_NAME, "the project you work on"),
            Field.text("branch", LONGEST_NAME, "the branch you work on"));

    private final Claims claims;
    private final Agents agents;
    private final HostedSessions sessions;
    private final Processes processes;
    private final Pages pages;

    public AgentVerbs(Claims claims, Agents agents, HostedSessions sessions, Processes processes, Limits limits) {
        this.claims = claims;
        this.agents = agents;
        this.sessions = sessions;
        this.processes = processes;
        pages = new Pages(limits.longestList());
    }

    public List<Verb> verbs() {
        return List.of(
                startSession().in(Toolset.WORK),
                endSession().in(Toolset.WORK),
                listAgents().in(Toolset.WORK));
    }

    private Verb startSession() {
        return new Verb(
                "start_session",
                """
                Say hello, and learn the holder id to claim with; a session that is resumed keeps its id and claims. \
                Example: {"session_id": "0b0f6c1e", "kind": "claude", "host": "laptop", "branch": "main"}""",
                concat(List.of(SESSION), ABOUT),
                List.of(
                        Field.text("holder", Text.LONGEST_HOLDER, "give this as holder in every call")
                                .must(),
                        Field.objects("claims", "what you hold already", Telling.CLAIM)
                                .must()),
                Verb.Nature.CHANGE,
                this::startSession);
    }

    private Answer startSession(Arguments given) {
        SessionStart start = new SessionStart(
                given.text("session_id"),
                given.text("kind"),
                given.textOrNull("name"),
                given.textOrNull("parent"),
                given.textOrNull("host"),
                given.numberOrNull("pid"),
                given.textOrNull("project"),
                given.textOrNull("branch"));
        Process process = processes.running(start.pid(), start.host()).orElse(null);
        Agent agent = sessions.begin(start, process, HostedSessions.Beginning.STARTED);
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("holder", agent.id());
        told.put("claims", Telling.claims(claims.held(null, agent.id(), null)));
        return Answer.of(told);
    }

    private Verb endSession() {
        return new Verb(
                "end_session",
                """
                Say goodbye: everything you hold is released, for others to take. \
                Example: {"session_id": "0b0f6c1e"}""",
                List.of(SESSION),
                List.of(Field.objects("released", "what you held", Telling.CLAIM)
                        .must()),
                Verb.Nature.CHANGE,
                this::endSession);
    }

    private Answer endSession(Arguments given) {
        String session = given.text("session_id");
        return agents.end(session)
                .map(released -> {
                    Map<String, @Nullable Object> told = new LinkedHashMap<>();
                    told.put("released", Telling.claims(released));
                    return Answer.of(told);
                })
                .orElseGet(() -> Answer.refused(
                        Code.NOT_FOUND, "there is no session " + session + "; start_session begins one"));
    }

    private Verb listAgents() {
        List<Field> agent = concat(
                concat(
                        List.of(
                                Field.text("holder", Text.LONGEST_HOLDER, "the agent id")
                                        .must(),
                                SESSION),
                        ABOUT),
                List.of(
                        Field.time("started_at", "when its session began").must(),
                        Field.time("last_seen_at", "when it was last heard of").must(),
                        Field.time("ended_at", "when its session ended")));
        return new Verb(
                "list_agents",
                """
                See which agents are there, by id. Example: {}, or {"all": true} for those that have left too""",
                List.of(Field.flag("all", "those whose session has ended too"), pages.limit("agents"), Pages.CURSOR),
                List.of(Field.objects("agents", "who is there", agent).must(), Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::listAgents);
    }

    private Answer listAgents(Arguments given) {
        int limit = pages.limit(given);
        List<Agent> found = agents.list(given.flag("all"), Pages.cursor(given), limit + 1);
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("agents", found.stream().limit(limit).map(AgentVerbs::told).toList());
        Pages.putNext(told, found.stream().map(Agent::id).toList(), limit);
        return Answer.of(told);
    }

    private static Map<String, @Nullable Object> told(Agent agent) {
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("holder", agent.id());
        told.put("session_id", agent.sessionId());
        told.put("kind", agent.kind());
        ClaimVerbs.putIfGiven(told, "name", agent.name());
        ClaimVerbs.putIfGiven(told, "parent", agent.parent());
        ClaimVerbs.putIfGiven(told, "host", agent.host());
        ClaimVerbs.putIfGiven(told, "pid", agent.pid());
        ClaimVerbs.putIfGiven(told, "project", agent.project());
        ClaimVerbs.putIfGiven(told, "branch", agent.branch());
        told.put("started_at", Telling.time(agent.startedAt()));
        told.put("last_seen_at", Telling.time(agent.lastSeenAt()));
        ClaimVerbs.putIfGiven(told, "ended_at", agent.endedAt() == null ? null : Telling.time(agent.endedAt()));
        return told;
    }

    private static List<Field> concat(List<Field> first, List<Field> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
