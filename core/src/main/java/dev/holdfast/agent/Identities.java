package dev.holdfast.agent;

import dev.holdfast.agent.Caller.Known;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies callers by the processes behind the call.
 *
 * <ol>
 *   <li>The caller is identified by the sessions of the calling process and of the processes that started it, including
 *       sessions that have ended or moved since: ending a session does not change who you are. An agent need not do
 *       anything for this, because its tools are its child processes.
 *   <li>Several sessions may share a process, as in Codex's server. Then the caller is one of them, and all count.
 *   <li>A person's shell may have started the agent, and an agent may say that it is a person. So a person counts only
 *       if there is no agent: whoever calls from below an agent is that agent.
 *   <li>If no session is found, a caller is who it says it is, or nobody. If that is the id of a session, it counts
 *       even if the call itself gives another name; any other name counts only if the call gives none.
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
     * @param processes the calling process, its parent and so on; empty: unknown
     * @param said who it says it is; null: nothing
     */
    public Caller of(List<AgentProcess> processes, @Nullable String said) {
        if (processes.isEmpty()) {
            return byGivenName(said, null);
        }
        String process = processes.getFirst().text();
        List<List<Agent>> found = sessions.everIn(processes);
        List<List<Agent>> agents = found.stream()
                .map(ofOne -> ofOne.stream()
                        .filter(agent -> !RelatedAgents.isPerson(agent.kind()))
                        .toList())
                .filter(ofOne -> !ofOne.isEmpty())
                .toList();
        if (!agents.isEmpty()) {
            return caller(agents, said, process);
        }
        if (!found.isEmpty()) {
            return caller(List.of(found.getFirst()), said, process);
        }
        return byGivenName(said, process);
    }

    /**
     * Identifies the caller that presents a pool reviewer's token. An agent that has found a token is still that agent.
     *
     * @param processes the calling process and its ancestors, up to the broker that runs its reviewers
     */
    public Caller ofToken(String reviewer, String engine, List<AgentProcess> processes) {
        Caller caller = of(processes, null);
        return Caller.ofToken(reviewer, engine, caller.known() == Known.SESSION ? caller.sessions() : List.of());
    }

    private Caller byGivenName(@Nullable String said, @Nullable String process) {
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
