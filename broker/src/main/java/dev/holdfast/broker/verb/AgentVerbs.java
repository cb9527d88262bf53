package dev.holdfast.broker.verb;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Binding;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.Process;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.process.SessionProof;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.store.Sha256;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who is there: {@code start_session end_session list_agents}. */
public final class AgentVerbs {
    private static final int LONGEST_NAME = 150;

    private static final Field SESSION = Field.text(
                    "session_id", Text.LONGEST_HOLDER, "your session's id; the same id is the same agent")
            .must()
            .example("0b0f6c1e-57c2-4d0e-9a4e-2f6b8d1c7a55");

    private static final Field KEY = Field.text(
            "session_key", Text.LONGEST_HOLDER, "from start_session; not needed from the session's own process");

    private static final List<Field> ABOUT = List.of(
            Field.text("kind", 40, "what you are: claude, codex, person, processor or the like")
                    .must()
                    .example("claude"),
            Field.text("name", LONGEST_NAME, "your name for people"),
            Field.text("parent", LONGEST_NAME, "the agent that started you"),
            Field.text("host", LONGEST_NAME, "the machine you run on"),
            Field.integer("pid", 0L, null, "your process id; the session ends when it exits"),
            Field.text("project", LONGEST_NAME, "the project you work on"),
            Field.text("branch", LONGEST_NAME, "the branch you work on"));

    private final Claims claims;
    private final Agents agents;
    private final HostedSessions sessions;
    private final Processes processes;
    private final SessionProof proof;
    private final Supplier<String> keys;
    private final Pages pages;

    /** @param keys makes what a session is ended with; nobody can guess one */
    public AgentVerbs(
            Claims claims,
            Agents agents,
            HostedSessions sessions,
            Processes processes,
            Supplier<String> keys,
            Limits limits) {
        this.claims = claims;
        this.agents = agents;
        this.sessions = sessions;
        this.processes = processes;
        this.keys = keys;
        proof = new SessionProof(processes, sessions);
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
                Register this session and get the holder id to claim with; a resumed session keeps its id and claims. \
                Example: {"session_id": "0b0f6c1e", "kind": "claude", "host": "laptop", "branch": "main"}""",
                concat(List.of(SESSION), ABOUT),
                List.of(
                        Field.text("holder", Text.LONGEST_HOLDER, "use this as holder in every call")
                                .must(),
                        Field.objects("claims", "what you already hold", ClaimJson.CLAIM)
                                .must(),
                        Field.flag("already_known", "your session was known before, by its hook"),
                        Field.text(
                                "session_key",
                                Text.LONGEST_HOLDER,
                                "needed to end the session from another process; keep it secret")),
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
        Origin origin = given.origin();
        List<Process> callers = origin.processes();
        Process process = processes
                .running(start.pid(), start.host(), origin.space(), callers)
                .orElse(null);
        Optional<Binding> before = sessions.binding(start.sessionId());
        Optional<Agent> known = before.isEmpty() ? known(start, origin.caller()) : Optional.empty();
        if (known.isPresent()) {
            Map<String, @Nullable Object> same = begun(known.get());
            same.put("already_known", true);
            return Answer.of(same);
        }
        Optional<Binding> live = before.filter(Binding::live);
        // whoever says hello again in a session that is not its own learns who it is, and gets no say in it
        String key = live.isEmpty() || proof.mayEnd(live.get(), callers, null) ? keys.get() : null;
        boolean moves = start.pid() != null
                && live.map(session -> proof.mayMove(session, callers)).orElse(true);
        Binding.Terms terms = new Binding.Terms(
                moves, callers.isEmpty() ? null : callers.getFirst(), key == null ? null : Sha256.hex(key));
        Agent agent = sessions.begin(start, process, HostedSessions.Beginning.STARTED, terms);
        Map<String, @Nullable Object> json = begun(agent);
        ClaimVerbs.putIfGiven(json, "session_key", key);
        return Answer.of(json);
    }

    /** Who calls from the process of a session of its own kind, and has none to call its own, is that session's agent, if its hook told of it. */
    private Optional<Agent> known(SessionStart start, Caller caller) {
        boolean another = start.pid() != null || start.parent() != null || start.name() != null;
        return another || caller.known() != Caller.Known.SESSION
                ? Optional.empty()
                : Optional.ofNullable(caller.name())
                        .flatMap(agents::find)
                        .filter(agent -> agent.endedAt() == null && agent.kind().equals(start.kind()))
                        .filter(agent -> sessions.binding(agent.sessionId())
                                .filter(Binding::ofHook)
                                .isPresent());
    }

    private Map<String, @Nullable Object> begun(Agent agent) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("holder", agent.id());
        json.put("claims", ClaimJson.claims(claims.held(null, agent.id(), null)));
        return json;
    }

    private Verb endSession() {
        return new Verb(
                "end_session",
                """
                End the session and release everything it holds. \
                Example: {"session_id": "0b0f6c1e"}""",
                List.of(SESSION, KEY),
                List.of(Field.objects("released", "what you held", ClaimJson.CLAIM)
                        .must()),
                Verb.Nature.CHANGE,
                this::endSession);
    }

    private Answer endSession(Arguments given) {
        String session = given.text("session_id");
        Optional<Binding> live = sessions.binding(session).filter(Binding::live);
        if (live.isPresent()
                && !proof.mayEnd(live.get(), given.origin().processes(), given.textOrNull("session_key"))) {
            return Answer.refused(
                    RefusalCode.FORBIDDEN,
                    "session " + session + " is not known to be yours; end it with the session_key from start_session"
                            + ", or from the process it runs in");
        }
        return agents.end(session)
                .map(released -> {
                    Map<String, @Nullable Object> json = new LinkedHashMap<>();
                    json.put("released", ClaimJson.claims(released));
                    return Answer.of(json);
                })
                .orElseGet(() -> Answer.refused(
                        RefusalCode.NOT_FOUND, "there is no session " + session + "; start one with start_session"));
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
                        Field.time("last_seen_at", "when it was last seen").must(),
                        Field.time("ended_at", "when its session ended")));
        return new Verb(
                "list_agents",
                """
                List active agents by id. Example: {}, or {"all": true} to include those that have ended""",
                List.of(Field.flag("all", "include ended sessions"), pages.limit("agents"), Pages.CURSOR),
                List.of(Field.objects("agents", "the agents", agent).must(), Pages.NEXT_CURSOR),
                Verb.Nature.READ,
                this::listAgents);
    }

    private Answer listAgents(Arguments given) {
        int limit = pages.limit(given);
        List<Agent> found = agents.list(given.flag("all"), Pages.cursor(given), limit + 1);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("agents", found.stream().limit(limit).map(AgentVerbs::told).toList());
        Pages.putNext(json, found.stream().map(Agent::id).toList(), limit);
        return Answer.of(json);
    }

    private static Map<String, @Nullable Object> told(Agent agent) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("holder", agent.id());
        json.put("session_id", agent.sessionId());
        json.put("kind", agent.kind());
        ClaimVerbs.putIfGiven(json, "name", agent.name());
        ClaimVerbs.putIfGiven(json, "parent", agent.parent());
        ClaimVerbs.putIfGiven(json, "host", agent.host());
        ClaimVerbs.putIfGiven(json, "pid", agent.pid());
        ClaimVerbs.putIfGiven(json, "project", agent.project());
        ClaimVerbs.putIfGiven(json, "branch", agent.branch());
        json.put("started_at", ClaimJson.time(agent.startedAt()));
        json.put("last_seen_at", ClaimJson.time(agent.lastSeenAt()));
        ClaimVerbs.putIfGiven(json, "ended_at", agent.endedAt() == null ? null : ClaimJson.time(agent.endedAt()));
        return json;
    }

    private static List<Field> concat(List<Field> first, List<Field> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
