package dev.holdfast.broker.hook;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.token.TeamToken;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A hook's call: the host's input, and what the hook's script and its installation add.
 *
 * @param pid the process that started the script
 * @param machine the name of its machine
 * @param guarded whether to refuse writes to paths that others have reserved
 * @param origin where the call really comes from
 * @param owner the token that was sent; null: none
 */
record HookCall(
        Host host,
        HookInput input,
        @Nullable Long pid,
        @Nullable String machine,
        boolean guarded,
        Origin origin,
        @Nullable TeamToken owner) {
    /** The name of the token that was sent; null: none. */
    @Nullable
    String ownerName() {
        return owner == null ? null : owner.name();
    }

    /** Whether this repository exists for the caller: for a token that is limited to some projects, no other does. */
    boolean knows(String repository) {
        return owner == null || owner.covers(repository);
    }

    /** The host's process. The claimed pid counts only if the call comes from that process, as far as is known. */
    Optional<AgentProcess> process(Processes processes) {
        List<AgentProcess> callers = origin.processes();
        return processes
                .ofHook(pid, machine, origin.space())
                .filter(said -> callers.isEmpty() || callers.stream().anyMatch(said::is));
    }

    /**
     * Like {@link #process}; a host that calls without its script is itself the caller, unless it calls through a
     * proxy, whose process serves everybody.
     */
    Optional<AgentProcess> hostProcess(Processes processes) {
        return pid == null ? origin.ownProcess() : process(processes);
    }
}
