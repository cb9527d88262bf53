package dev.holdfast.broker.process;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.store.BadRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes on this machine in which sessions run. A session ends when its process is gone. */
public final class Processes {
    private static final Logger LOG = LoggerFactory.getLogger(Processes.class);

    /** Shells with which hosts run hooks; they exit together with the hook. */
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ash", "busybox", "ksh");

    /** No healthy system nests processes this deeply. */
    private static final int DEEPEST = 100;

    private final Machine here;
    private final BadRows bad = new BadRows(LOG, "end the session of");

    public Processes(Machine here) {
        this.here = here;
    }

    public Machine here() {
        return here;
    }

    /**
     * The process of the host that called a hook.
     *
     * @param caller the process that started the hook's script; null: unknown
     * @param name its machine's name
     * @param space its pid namespace; null: not sent, as on systems that have only one
     */
    public Optional<AgentProcess> ofHook(@Nullable Long caller, @Nullable String name, @Nullable String space) {
        Optional<ProcessHandle> process =
                caller == null || !here.is(name, space) ? Optional.empty() : ProcessHandle.of(caller);
        while (process.isPresent() && isShell(process.get())) {
            process = process.get().parent();
        }
        // the parent is gone if only process 1 is left; so it is not a host waiting for a hook
        return process.filter(found -> found.pid() > 1).flatMap(this::known);
    }

    /**
     * The process in which a session says it runs; empty when that is not on this machine.
     *
     * @param name the name of the session's machine; null: unknown
     * @param callers the processes behind the call, the nearest first; they are better evidence than a name; empty:
     *     unknown
     * @throws InvalidException when there is no such process, or it is neither one of the callers nor started by them
     */
    public Optional<AgentProcess> running(
            @Nullable Long pid, @Nullable String name, @Nullable String space, List<AgentProcess> callers) {
        boolean isHere = callers.isEmpty()
                ? here.is(name, space)
                : (name == null || name.equals(here.name()))
                        && Machine.sharesNumbers(callers.getFirst().pid());
        if (pid == null || !isHere) {
            return Optional.empty();
        }
        AgentProcess process = ProcessHandle.of(pid)
                .flatMap(this::known)
                .orElseThrow(() ->
                        new InvalidException("there is no process " + pid + "; give the one that the session runs in"));
        if (!callers.isEmpty() && !isOf(process, callers)) {
            throw new InvalidException("process " + pid + " is neither an ancestor of yours nor started by you");
        }
        return Optional.of(process);
    }

    /**
     * Whether it is one of the callers, or was started by the nearest caller or by the shell from which that was run.
     */
    private boolean isOf(AgentProcess process, List<AgentProcess> callers) {
        if (callers.stream().anyMatch(process::is)) {
            return true;
        }
        List<AgentProcess> starters = new ArrayList<>(List.of(callers.getFirst()));
        callers.stream().skip(1).takeWhile(this::isShell).forEach(starters::add);
        return lineage(process.pid()).stream()
                .anyMatch(started -> starters.stream().anyMatch(started::is));
    }

    private boolean isShell(AgentProcess process) {
        return ProcessHandle.of(process.pid()).filter(Processes::isShell).isPresent();
    }

    /** A process of this machine and its ancestors, itself first; empty when it is gone. */
    public List<AgentProcess> lineage(long pid) {
        List<AgentProcess> lineage = new ArrayList<>();
        Optional<ProcessHandle> next = ProcessHandle.of(pid);
        while (next.isPresent() && lineage.size() < DEEPEST) {
            known(next.get()).ifPresent(lineage::add);
            next = next.get().parent();
        }
        return lineage;
    }

    private Optional<AgentProcess> known(ProcessHandle process) {
        return process.info().startInstant().map(start -> new AgentProcess(here.id(), process.pid(), start));
    }

    private static boolean isShell(ProcessHandle process) {
        String command = process.info().command().orElse("");
        return SHELLS.contains(command.substring(command.lastIndexOf('/') + 1));
    }

    /** Whether it is known to be gone, which can only be told for processes of this machine. */
    public boolean isGone(AgentProcess process) {
        return process.machine().equals(here.id())
                && !ProcessHandle.of(process.pid())
                        .filter(ProcessHandle::isAlive)
                        .flatMap(found -> found.info().startInstant())
                        .map((Instant start) -> process.startedAt(start))
                        .orElse(false);
    }

    /** When the first process of this pid namespace started: no process in it can be older. */
    public Optional<Instant> since() {
        return ProcessHandle.of(1).flatMap(first -> first.info().startInstant());
    }

    /** Ends the sessions of this machine whose process is gone: after a crash, nobody else ends them. */
    public void endThoseWithout(HostedSessions sessions) {
        for (HostedSessions.Running running : sessions.running(here.id())) {
            if (isGone(running.process())) {
                bad.attempt(running.agent().id(), () -> end(running.agent(), sessions));
            }
        }
    }

    private static boolean end(Agent agent, HostedSessions sessions) {
        int freed = sessions.end(agent, "its process ended").size();
        LOG.info("the process of {} is gone: its session is ended, {} claims are free", agent.id(), freed);
        return true;
    }
}
