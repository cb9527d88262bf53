package dev.holdfast.broker.process;

import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.Process;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes of this machine that sessions run in. A session whose process is gone is over. */
public final class Processes {
    private static final Logger LOG = LoggerFactory.getLogger(Processes.class);

    /** What hosts run hooks with; it is gone as soon as the hook is done. */
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ash", "busybox", "ksh");

    private final String host = Machine.name();

    /** This machine, by the name that {@code uname -n} tells. */
    public String host() {
        return host;
    }

    /**
     * The process of the host that called a hook.
     *
     * @param caller the process that started the hook's script; null: not told
     * @param callersHost its machine
     * @param space of process numbers; null: not told, where there is only one
     */
    public Optional<Process> ofHook(@Nullable Long caller, @Nullable String callersHost, @Nullable String space) {
        if (space != null && !space.equals(Machine.space())) {
            return Optional.empty();
        }
        Optional<ProcessHandle> process = find(caller, callersHost);
        while (process.isPresent() && isShell(process.get())) {
            process = process.get().parent();
        }
        // who is a child of the first process of all was left alone by its parent: not a host that waits for a hook
        return process.filter(found -> found.pid() > 1).flatMap(this::known);
    }

    /** The process that a session says it runs in; empty when it is not one of this machine. */
    public Optional<Process> running(@Nullable Long pid, @Nullable String machine) {
        return find(pid, machine).flatMap(this::known);
    }

    private Optional<ProcessHandle> find(@Nullable Long pid, @Nullable String machine) {
        return pid == null || !host.equals(machine) ? Optional.empty() : ProcessHandle.of(pid);
    }

    private Optional<Process> known(ProcessHandle process) {
        return process.info().startInstant().map(start -> new Process(host, process.pid(), start));
    }

    private static boolean isShell(ProcessHandle process) {
        String command = process.info().command().orElse("");
        return SHELLS.contains(command.substring(command.lastIndexOf('/') + 1));
    }

    private static boolean isAlive(Process process) {
        return ProcessHandle.of(process.pid())
                .filter(ProcessHandle::isAlive)
                .flatMap(found -> found.info().startInstant())
                .map((Instant start) -> process.startedAt(start))
                .orElse(false);
    }

    /** Ends the sessions of this machine whose process is gone: a crash says no goodbye. */
    public void endThoseWithout(HostedSessions sessions) {
        for (HostedSessions.Running running : sessions.running(host)) {
            if (!isAlive(running.process())) {
                int freed = sessions.end(running.agent(), "its process ended").size();
                LOG.info(
                        "the process of {} is gone: its session is ended, {} claims are free",
                        running.agent().id(),
                        freed);
            }
        }
    }
}
