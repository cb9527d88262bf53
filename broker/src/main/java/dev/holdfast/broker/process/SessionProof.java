package dev.holdfast.broker.process;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.SessionBinding;
import dev.holdfast.store.Sha256;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a caller may end a session, or say where it runs. A caller may if it presents the session key, or
 * calls from the session's process or from the one that started it. A session's id is no secret and proves nothing.
 */
public record SessionProof(Processes processes, HostedSessions sessions) {
    /** @param callers the processes behind the call; empty: unknown */
    public boolean mayEnd(SessionBinding session, List<AgentProcess> callers, @Nullable String key) {
        String hash = session.keyHash();
        return hash == null
                || (key != null && hash.equals(Sha256.hex(key)))
                || isOneOf(session.process(), callers)
                || isOneOf(session.startedBy(), callers);
    }

    /**
     * Whether a hook may end it. Hooks are called by the session's own process and present no other proof. If the
     * caller or the session's process is unknown, the hook is believed, unless the session has a key, which would be
     * better proof.
     */
    public boolean mayEndByHook(SessionBinding session, List<AgentProcess> callers) {
        return provenBy(session)
                .filter(by ->
                        isOneOf(by.process(), callers) || (by.ofHook() && (by.process() == null || callers.isEmpty())))
                .isPresent();
    }

    /** The session whose process and key count for this one: a subagent has neither, so its parent's count. */
    private Optional<SessionBinding> provenBy(SessionBinding session) {
        Set<String> seen = new HashSet<>();
        Optional<SessionBinding> by = Optional.of(session);
        while (by.isPresent()
                && isUnbound(by.get())
                && seen.add(by.get().agent().id())) {
            Optional<String> parent = HostedSessions.waitingFor(by.get().agent());
            if (parent.isEmpty()) {
                return by;
            }
            by = sessions.bindingOf(parent.get());
        }
        return by;
    }

    private static boolean isUnbound(SessionBinding session) {
        return session.ofHook() && session.process() == null;
    }

    /** Whether the caller may move a session to another process; a live session needs proof. */
    public boolean mayMove(SessionBinding session, List<AgentProcess> callers) {
        AgentProcess process = session.process();
        if (!session.live()) {
            return true;
        }
        if (process == null) {
            return session.ofHook() ? mayEndByHook(session, callers) : mayEnd(session, callers, null);
        }
        return isOneOf(process, callers) || processes.isGone(process) || isBeforeRestart(session, process);
    }

    /** Whether it was last seen before this machine, or one with the same name, was restarted. */
    private boolean isBeforeRestart(SessionBinding session, AgentProcess process) {
        Machine here = processes.here();
        return !process.machine().equals(here.id())
                && process.machine().startsWith(here.name() + "/")
                && processes
                        .since()
                        .filter(start -> session.agent().lastSeenAt().isBefore(start))
                        .isPresent();
    }

    private static boolean isOneOf(@Nullable AgentProcess process, List<AgentProcess> callers) {
        return process != null && callers.stream().anyMatch(process::is);
    }
}
