package dev.holdfast.agent;

import dev.holdfast.agent.Caller.Known;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who calls, by the processes behind the call.
 *
 * <ol>
 *   <li>The sessions of the process that called, and of those that started it, are the caller, also those that have ended or
 *       moved since: ending a session makes nobody another. An agent needs to do nothing for that: its tools are its children.
 *   <li>Several sessions may share a process, as those of Codex's server do. Then the caller is one of them, and all count.
 *   <li>A person's shell may have started the agent, and an agent may say that it is a person. So a person counts only where
 *       no agent is: who calls from below an agent is that agent.
 *   <li>Where no session is found, a caller is who it says it is, or nobody. If that is a session's id, it counts even when the
 *       call itself gives another name; any other name counts only until the call gives one.
 * </ol>
 */
public final class Identities {
    private final HostedSessions sessions;
    private final Agents agents;

    public Identities(HostedSessions sessions, Agents agents) {
        this.sessions = sessions;
        this.agents = agents;
    }

    /**
     * @param processes that called, its parent and so on; empty: not known
     * @param said who it says it is; null: nothing
     */
    public Caller of(List<AgentProcess> processes, @Nullable String said) {
        if (processes.isEmpty()) {
            return bySaying(said, null);
        }
        String process = processes.getFirst().text();
        List<List<Agent>> found = sessions.everIn(processes);
        List<List<Agent>> agents = found.stream()
                .map(ofOne -> ofOne.stream()
                        .filter(agent -> !Kinship.isPerson(agent.kind()))
                        .toList())
                .filter(ofOne -> !ofOne.isEmpty())
                .toList();
        if (!agents.isEmpty()) {
            return caller(agents, said, process);
        }
        if (!found.isEmpty()) {
            return caller(List.of(found.getFirst()), said, process);
        }
        return bySaying(said, process);
    }

    /**
     * Who shows the token of a reviewer of the pool. An agent that has found one is still that agent.
     *
     * @param processes that called, up to the broker that runs its reviewers
     */
    public Caller ofToken(String reviewer, String engine, List<AgentProcess> processes) {
        Caller caller = of(processes, null);
        return Caller.ofToken(reviewer, engine, caller.known() == Known.SESSION ? caller.sessions() : List.of());
    }

    private Caller bySaying(@Nullable String said, @Nullable String process) {
        if (said == null) {
            return new Caller(Known.NOTHING, null, List.of(), null, process);
        }
        boolean session = agents.find(said).isPresent();
        return new Caller(Known.NAME, said, session ? List.of(said) : List.of(), null, process);
    }

    private static Caller caller(List<List<Agent>> found, @Nullable String said, String process) {
        List<Agent> alive = found.getFirst().stream()
                .filter(agent -> agent.endedAt() == null)
                .toList();
        List<Agent> nearest = alive.isEmpty() ? found.getFirst() : alive;
        List<String> ids =
                found.stream().flatMap(List::stream).map(Agent::id).distinct().toList();
        String kind = nearest.getFirst().kind();
        boolean alike = nearest.stream().allMatch(agent -> Objects.equals(agent.kind(), kind));
        String only = nearest.size() == 1 ? nearest.getFirst().id() : null;
        return new Caller(Known.SESSION, only, ids, alike ? kind : null, process).saying(said);
    }
}
