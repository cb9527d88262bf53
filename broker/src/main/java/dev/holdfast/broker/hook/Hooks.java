package dev.holdfast.broker.hook;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.HostedSessions.Beginning;
import dev.holdfast.agent.RunningToolCalls;
import dev.holdfast.agent.SessionBinding;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.process.SessionProof;
import dev.holdfast.broker.repository.KnownRepositories;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.DisplacedClaim;
import dev.holdfast.git.WorkingTree;
import dev.holdfast.repository.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles each hook event of a host, and composes what its model reads. */
record Hooks(
        Claims claims,
        HostedSessions sessions,
        RunningToolCalls calls,
        Processes processes,
        SessionProof proof,
        KnownRepositories repositories,
        PathGuard guard) {
    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);
    private static final Set<String> GOES_ON = Set.of("clear", "resume");
    private static final Answer NOTHING = Answer.of(Map.of());

    /** An agent, and whether this call registered it. */
    private record Known(Agent agent, boolean now) {}

    Answer answer(HookCall call) {
        HookInput input = call.input();
        if (input.event().equals("HoldfastSelfTest")) {
            return Answer.of(Map.of("systemMessage", "Holdfast answers " + call.host()));
        }
        String session = input.session();
        if (session == null) {
            return NOTHING;
        }
        return switch (input.event()) {
            case "SessionStart" -> sessionStart(call, session);
            case "SubagentStart" -> context(input, introduction(call, known(call, session).agent));
            case "PreToolUse" -> preToolUse(call, session);
            case "PostToolUse", "PostToolUseFailure" -> postToolUse(call, session);
            case "SubagentStop" -> subagentStop(call, session);
            case "SessionEnd" -> sessionEnd(call, session);
            default -> signOfLife(call, session);
        };
    }

    private Answer sessionStart(HookCall call, String session) {
        Optional<AgentProcess> process = call.process(processes);
        Beginning how = beginning(call);
        boolean moves = sessions.binding(session)
                .map(known -> proof.mayMove(known, call.origin().processes()))
                .orElse(true);
        boolean own = moves || comesFromIt(call, session);
        Agent agent = sessions.begin(
                start(call, session, null, process.map(AgentProcess::pid).orElse(null)),
                process.orElse(null),
                how,
                SessionBinding.Terms.ofHook(moves));
        if (own && !"compact".equals(call.input().field("source"))) {
            calls.endAll(agent.id());
        }
        claims.beat(agent.id());
        return context(call.input(), introduction(call, agent));
    }

    /** One Codex process may serve many sessions: only /clear shows that one of them continues. */
    private static Beginning beginning(HookCall call) {
        boolean oneAtATime = call.host() == Host.CLAUDE;
        return switch (String.valueOf(call.input().field("source"))) {
            case "clear" -> Beginning.CONTINUED;
            case "compact" -> oneAtATime ? Beginning.CONTINUED : Beginning.STARTED;
            case "resume" -> oneAtATime ? Beginning.RESUMED : Beginning.STARTED;
            case "fork" -> Beginning.FORKED;
            default -> Beginning.STARTED;
        };
    }

    private String introduction(HookCall call, Agent agent) {
        String parent = Objects.equals(agent.parent(), call.ownerName()) ? null : agent.parent();
        return Notice.identity(agent.id(), parent) + " " + Notice.holding(claims.held(null, agent.id(), null))
                + Notice.repository(agent.project());
    }

    private Answer preToolUse(HookCall call, String session) {
        HookInput input = call.input();
        Agent agent = known(call, session).agent;
        calls.begin(agent, callId(input));
        beat(agent);
        Optional<String> refusal = call.guarded() && isHere(call) ? guard.refusal(agent.id(), call) : Optional.empty();
        if (refusal.isEmpty()) {
            return NOTHING;
        }
        calls.end(agent.id(), callId(input));
        return Answer.of(Map.of(
                "hookSpecificOutput",
                Map.of(
                        "hookEventName",
                        input.event(),
                        "permissionDecision",
                        "deny",
                        "permissionDecisionReason",
                        refusal.get())));
    }

    private Answer postToolUse(HookCall call, String session) {
        HookInput input = call.input();
        Known known = known(call, session);
        Agent agent = known.agent;
        calls.end(agent.id(), callId(input));
        List<DisplacedClaim> lost = beat(agent);
        List<String> notices = new ArrayList<>();
        if (known.now) {
            notices.add(introduction(call, agent));
        }
        if (!lost.isEmpty()) {
            notices.add(Notice.lost(lost));
        }
        if (notices.isEmpty()) {
            return NOTHING;
        }
        Answer answer = context(input, String.join("\n", notices));
        return lost.isEmpty() ? answer : answer.whenDelivered(() -> claims.markReported(agent.id(), lost));
    }

    /** The end of a turn, a prompt, any other sign of life: releases nothing. */
    private Answer signOfLife(HookCall call, String session) {
        String id = sessionOf(session, call.input());
        sessions.heard(id).filter(agent -> agent.endedAt() == null).ifPresent(agent -> {
            if (nothingRuns(call) && comesFromIt(call, id)) {
                calls.endAll(agent.id());
            }
            beat(agent);
        });
        return NOTHING;
    }

    /**
     * A call that the user stopped or denied never reports its end. Claude Code shows this only by the next prompt;
     * Codex accepts prompts while its tools run, but reports the interruption.
     */
    private static boolean nothingRuns(HookCall call) {
        return switch (call.input().event()) {
            case "Stop", "Interrupt" -> true;
            case "UserPromptSubmit" -> call.host() == Host.CLAUDE;
            default -> false;
        };
    }

    private Answer subagentStop(HookCall call, String session) {
        String id = sessionOf(session, call.input());
        if (isSubagent(id, session) && mayEnd(call, session) && mayEnd(call, id)) {
            sessions.heard(id).ifPresent(this::end);
        }
        return NOTHING;
    }

    /** An independent session may have an id that looks like a subagent's. */
    private boolean isSubagent(String id, String session) {
        Optional<String> parent =
                sessions.binding(id).map(known -> known.agent().parent());
        return parent.isPresent()
                && parent.equals(
                        sessions.binding(session).map(known -> known.agent().id()));
    }

    /** As far as is known: a session's id is not a secret. */
    private boolean comesFromIt(HookCall call, String session) {
        return sessions.binding(session)
                .map(known -> proof.mayEndByHook(known, call.origin().processes()))
                .orElse(true);
    }

    /** Ending a session frees what it holds, so not everybody may. */
    private boolean mayEnd(HookCall call, String session) {
        boolean may = comesFromIt(call, session);
        if (!may) {
            LOG.warn(
                    "a hook of {} would end session {}, but does not come from its process: ignored",
                    call.host(),
                    Notice.quoted(session));
        }
        return may;
    }

    /** After a clear or resume, the session goes on under another id; only its process connects the two. */
    private Answer sessionEnd(HookCall call, String session) {
        if (!mayEnd(call, session)) {
            return NOTHING;
        }
        Optional<Agent> agent = sessions.heard(session);
        boolean goesOn = GOES_ON.contains(String.valueOf(call.input().field("reason")))
                && agent.isPresent()
                && sessions.running(processes.here().id()).stream()
                        .anyMatch(running ->
                                running.agent().id().equals(agent.get().id()));
        if (!goesOn) {
            agent.ifPresent(this::end);
        }
        return NOTHING;
    }

    private void end(Agent agent) {
        calls.endAll(agent.id());
        sessions.end(agent, null);
    }

    /** While a subagent works, the parent that waits for it counts as working too. */
    private List<DisplacedClaim> beat(Agent agent) {
        HostedSessions.waitingFor(agent).ifPresent(claims::beat);
        return claims.beat(agent.id()).lost();
    }

    /** The agent whose tool this is; one that started while no broker was running is registered now. */
    private Known known(HookCall call, String session) {
        String id = sessionOf(session, call.input());
        Optional<Agent> heard = sessions.heard(id);
        if (heard.isPresent() && (heard.get().endedAt() == null || isLate(call.input()))) {
            return new Known(heard.get(), false);
        }
        if (!id.equals(session)) {
            String parent = sessions.heard(session)
                    .filter(agent -> agent.endedAt() == null)
                    .orElseGet(() -> begin(call, session))
                    .id();
            return new Known(
                    sessions.begin(
                            start(call, id, parent, null), null, Beginning.STARTED, SessionBinding.Terms.ofHook(true)),
                    true);
        }
        return new Known(begin(call, session), true);
    }

    private Agent begin(HookCall call, String session) {
        AgentProcess process = call.hostProcess(processes).orElse(null);
        return sessions.begin(
                start(call, session, null, process == null ? null : process.pid()),
                process,
                Beginning.STARTED,
                SessionBinding.Terms.ofHook(true));
    }

    /** Whether this is the end of a call, which may have outlived its session. */
    private static boolean isLate(HookInput input) {
        return input.event().startsWith("Post");
    }

    private SessionStart start(HookCall call, String session, @Nullable String parent, @Nullable Long pid) {
        Optional<WorkingTree> tree = isHere(call) ? WorkingTree.of(call.input().field("cwd")) : Optional.empty();
        return new SessionStart(
                session,
                call.host().toString(),
                null,
                parent == null ? call.ownerName() : parent,
                call.machine() == null ? processes.here().name() : call.machine(),
                pid,
                tree.map(repositories::of)
                        .or(() -> repositories.of(
                                call.origin().repository(), call.origin().local(), call::knows, call::knows))
                        .map(Repository::key)
                        .filter(key -> key.length() <= 150 && call.knows(key))
                        .orElse(null),
                tree.map(WorkingTree::branch)
                        .filter(branch -> branch.length() <= 150)
                        .orElse(null));
    }

    /**
     * A folder named by a caller on another machine is not on this one; and through a tunnel, another machine looks
     * like this one.
     */
    private boolean isHere(HookCall call) {
        return call.origin().local()
                && (call.owner() == null
                        || call.machine() == null
                        || call.machine().equals(processes.here().name()));
    }

    private static String sessionOf(String session, HookInput input) {
        String subagent = input.subagent();
        return subagent == null ? session : subagent;
    }

    private static String callId(HookInput input) {
        String id = input.field("tool_use_id");
        return id == null ? String.valueOf(input.field("tool_name")) : id;
    }

    private static Answer context(HookInput input, String text) {
        return Answer.of(
                Map.of("hookSpecificOutput", Map.of("hookEventName", input.event(), "additionalContext", text)));
    }
}
