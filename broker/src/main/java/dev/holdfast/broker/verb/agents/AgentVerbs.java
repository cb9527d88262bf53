package dev.holdfast.broker.verb.agents;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.SessionBinding;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.process.SessionProof;
import dev.holdfast.broker.verb.Bounds;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.Present;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.repository.RepositoryKey;
import dev.holdfast.store.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sessions: {@code start_session end_session list_agents}. */
public final class AgentVerbs {
    static final int LONGEST_NAME = 150;
    static final String SESSION = "your session's id; the same id is the same agent";
    static final String SESSION_EXAMPLE = "0b0f6c1e-57c2-4d0e-9a4e-2f6b8d1c7a55";

    /** What a session says about itself. */
    record Session(
            @Field(value = SESSION, example = SESSION_EXAMPLE)
            String sessionId,

            @Field(
                    value = "what you are: claude, codex, person, processor or similar",
                    longest = 40,
                    example = "claude")
            String kind,

            @Field(value = "your display name", longest = LONGEST_NAME) @Nullable
            String name,

            @Field(value = "the agent that started you", longest = LONGEST_NAME) @Nullable
            String parent,

            @Field(value = "the machine you run on", longest = LONGEST_NAME) @Nullable
            String host,

            @Field("your process id; the session ends when it exits") @Nullable
            Long pid,

            @Field(value = "the project you work on", longest = LONGEST_NAME) @Nullable
            String project,

            @Field(value = "the branch you work on", longest = LONGEST_NAME) @Nullable
            String branch) {}

    @Definition(
            name = "start_session",
            effect = VerbEffect.CHANGE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Register this session and get the holder id to claim with; a resumed session keeps its id and claims. \
                    Example: {"session_id": "0b0f6c1e", "kind": "claude", "host": "laptop", "branch": "main"}""")
    record StartSession(@Inline Session session) {
        SessionStart start() {
            return new SessionStart(
                    session.sessionId(),
                    session.kind(),
                    session.name(),
                    session.parent(),
                    session.host(),
                    session.pid(),
                    session.project(),
                    session.branch());
        }
    }

    record StartedSession(
            @Field("use this as holder in every call") String holder,

            @Field("what you already hold") List<ClaimJson> claims,

            @Field("your session was already known, through its hook") @Nullable
            Boolean alreadyKnown,

            @Field("the queue and project of your calls unless they name another") @Nullable
            String repository,

            @Field("needed to end the session from another process; keep it secret") @Nullable
            String sessionKey) {}

    @Definition(name = "end_session", effect = VerbEffect.CHANGE, toolsets = Toolset.WORK, description = """
                    End the session and release everything it holds. \
                    Example: {"session_id": "0b0f6c1e"}""")
    record EndSession(
            @Field(value = SESSION, example = SESSION_EXAMPLE)
            String sessionId,

            @Field("from start_session; not needed from the session's own process") @Nullable
            String sessionKey) {}

    record EndedSession(@Field("what you held") List<ClaimJson> released) {}

    @Definition(name = "list_agents", effect = VerbEffect.READ, toolsets = Toolset.WORK, description = """
                    List active agents by id. Example: {}, or {"all": true} to include those that have ended""")
    record ListAgents(
            @Field("include ended sessions") boolean all,
            @CommonFields.PageSize @Nullable Integer limit,
            @CommonFields.Cursor @Nullable String cursor) {}

    record AgentList(
            @Field("the agents") List<AgentView> agents,
            @CommonFields.NextCursor @Nullable String nextCursor) {}

    record AgentView(
            @Field("the agent id") String holder,

            @Inline Session session,
            @Field("when its session began") Instant startedAt,
            @Field("when it was last seen") Instant lastSeenAt,
            @Field("when its session ended") @Nullable Instant endedAt) {
        static AgentView of(Agent agent) {
            return new AgentView(
                    agent.id(),
                    new Session(
                            agent.sessionId(),
                            agent.kind(),
                            agent.name(),
                            agent.parent(),
                            agent.host(),
                            agent.pid(),
                            agent.project(),
                            agent.branch()),
                    agent.startedAt(),
                    agent.lastSeenAt(),
                    agent.endedAt());
        }
    }

    private final Shapes shapes;
    private final Claims claims;
    private final Agents agents;
    private final HostedSessions sessions;
    private final Processes processes;
    private final SessionProof proof;
    private final Supplier<String> keys;

    /** @param keys creates session keys, which must not be guessable */
    public AgentVerbs(
            Shapes shapes,
            Claims claims,
            Agents agents,
            HostedSessions sessions,
            Processes processes,
            Supplier<String> keys) {
        this.shapes = shapes;
        this.claims = claims;
        this.agents = agents;
        this.sessions = sessions;
        this.processes = processes;
        this.keys = keys;
        proof = new SessionProof(processes, sessions);
    }

    public List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, StartSession.class, StartedSession.class, this::startSession),
                Verb.of(shapes, EndSession.class, EndedSession.class, this::endSession),
                Verb.of(shapes, ListAgents.class, AgentList.class, this::listAgents));
    }

    private StartedSession startSession(StartSession given, Call call) {
        SessionStart start = given.start();
        List<AgentProcess> callers = call.origin().processes();
        AgentProcess process = call.origin().local()
                ? processes
                        .running(start.pid(), start.host(), call.origin().space(), callers)
                        .orElse(null)
                : null; // a pid from another machine means nothing on this one
        Optional<SessionBinding> before = sessions.binding(start.sessionId());
        Optional<Agent> known = before.isEmpty() ? known(start, call.caller()) : Optional.empty();
        if (known.isPresent()) {
            return begun(known.get(), true, null);
        }
        Optional<SessionBinding> live = before.filter(SessionBinding::live);
        // a caller that starts a session again that is not its own learns who that is, but gets no control over it
        String key = live.isEmpty() || proof.mayEnd(live.get(), callers, null) ? keys.get() : null;
        boolean moves = start.pid() != null
                && live.map(session -> proof.mayMove(session, callers)).orElse(true);
        SessionBinding.Terms terms = new SessionBinding.Terms(
                moves, call.origin().ownProcess().orElse(null), key == null ? null : Sha256.hex(key));
        Agent agent = sessions.begin(start, process, HostedSessions.Beginning.STARTED, terms);
        return begun(agent, false, key);
    }

    /**
     * A caller without its own session, in the process of a session of its kind, is that session's agent, if its hook
     * registered it.
     */
    private Optional<Agent> known(SessionStart start, Caller caller) {
        boolean another = start.pid() != null || start.parent() != null || start.name() != null;
        return another || caller.known() != Caller.Known.SESSION
                ? Optional.empty()
                : Optional.ofNullable(caller.name())
                        .flatMap(agents::find)
                        .filter(agent -> agent.endedAt() == null && agent.kind().equals(start.kind()))
                        .filter(agent -> sessions.binding(agent.sessionId())
                                .filter(SessionBinding::ofHook)
                                .isPresent());
    }

    private StartedSession begun(Agent agent, boolean known, @Nullable String key) {
        return new StartedSession(
                agent.id(),
                ClaimJson.of(claims.held(null, agent.id(), null)),
                Present.ifTrue(known),
                agent.project() == null ? null : RepositoryKey.ofQueue(agent.project()),
                key);
    }

    private EndedSession endSession(EndSession given, Call call) {
        String session = given.sessionId();
        Optional<SessionBinding> live = sessions.binding(session).filter(SessionBinding::live);
        if (live.isPresent() && !proof.mayEnd(live.get(), call.origin().processes(), given.sessionKey())) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "session " + session + " is not known to be yours; end it with the session_key from start_session"
                            + ", or from the process it runs in");
        }
        return agents.end(session)
                .map(released -> new EndedSession(ClaimJson.of(released)))
                .orElseThrow(() -> new RefusedException(
                        RefusalCode.NOT_FOUND, "there is no session " + session + "; start one with start_session"));
    }

    private AgentList listAgents(ListAgents given) {
        int page = shapes.bounds().page(given.limit());
        List<Agent> found = agents.list(given.all(), Objects.requireNonNullElse(given.cursor(), ""), page + 1);
        return new AgentList(
                found.stream().limit(page).map(AgentView::of).toList(),
                Bounds.next(found.stream().map(Agent::id).toList(), page));
    }
}
