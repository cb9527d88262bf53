package dev.holdfast.broker.process;

import dev.holdfast.agent.Binding;
import dev.holdfast.agent.Process;
import dev.holdfast.store.Sha256;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a session is its caller's to end, or to say where it runs. Whoever shows the key that starting it gave, and
 * whoever calls from its process or from the one that started it, may. A session's id is no secret and proves nothing.
 */
public final class SessionProof {
    private final Processes processes;

    public SessionProof(Processes processes) {
        this.processes = processes;
    }

    /** @param callers the processes behind the call; empty: not known */
    public boolean mayEnd(Binding session, List<Process> callers, @Nullable String key) {
        String hash = session.keyHash();
        return hash == null
                || (key != null && hash.equals(Sha256.hex(key)))
                || isOneOf(session.process(), callers)
                || isOneOf(session.startedBy(), callers);
    }

    /**
     * Whether a hook may end it: hooks are called by the session's own process, and show nothing else. Where the caller or
     * the session's process is not known, the hook is believed.
     */
    public boolean mayEndByHook(Binding session, List<Process> callers) {
        return session.process() == null || callers.isEmpty() || isOneOf(session.process(), callers);
    }

    /** Whether a session that is live may be said to run elsewhere from now on. */
    public boolean mayMove(Binding session, List<Process> callers) {
        Process process = session.process();
        if (!session.live()) {
            return true;
        }
        if (process == null) {
            return session.ofHook() || mayEnd(session, callers, null);
        }
        return isOneOf(process, callers) || processes.isGone(process) || isBeforeRestart(session, process);
    }

    /** It was last heard of before this machine, or one of the same name, was started again. */
    private boolean isBeforeRestart(Binding session, Process process) {
        Machine here = processes.here();
        return !process.machine().equals(here.id())
                && process.machine().startsWith(here.name() + "/")
                && processes
                        .since()
                        .filter(start -> session.agent().lastSeenAt().isBefore(start))
                        .isPresent();
    }

    private static boolean isOneOf(@Nullable Process process, List<Process> callers) {
        return process != null && callers.stream().anyMatch(process::is);
    }
}
