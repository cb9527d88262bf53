package dev.holdfast.broker.hook;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.verb.Origin;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of a hook: beside what the host sends, what its script and those who installed it add.
 *
 * @param pid the process that started the script
 * @param machine the name of its machine
 * @param guarded whether writing into what others have reserved is to be refused
 * @param origin where the call really comes from
 * @param owner the name of the token that it shows; null: none
 */
record HookCall(
        Host host,
        HookInput input,
        @Nullable Long pid,
        @Nullable String machine,
        boolean guarded,
        Origin origin,
        @Nullable String owner) {
    /** The host's process. What is said of it counts only if the call comes from it, as far as that is known. */
    Optional<AgentProcess> process(Processes processes) {
        List<AgentProcess> callers = origin.processes();
        return processes
                .ofHook(pid, machine, origin.space())
                .filter(said -> callers.isEmpty() || callers.stream().anyMatch(said::is));
    }

    /** As {@link #process}; a host that calls without its script calls by itself. */
    Optional<AgentProcess> hostProcess(Processes processes) {
        return pid == null ? origin.processes().stream().findFirst() : process(processes);
    }
}
