package dev.holdfast.broker.process;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.broker.process.ConnectionOwners.Hidden;
import dev.holdfast.broker.process.ConnectionOwners.HungUp;
import dev.holdfast.broker.process.ConnectionOwners.NotFoundInTime;
import dev.holdfast.broker.process.ConnectionOwners.OwnedBy;
import dev.holdfast.store.BusyException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Finds the process at the other end of a connection from this machine, using what Linux reports: the socket's inode by
 * its ports, then the process that has that inode open. Callers cannot fake this. It does not work on other systems,
 * through a proxy, from another container, or for another user's process.
 */
public final class PeerProcesses {
    /** Not enough only with millions of open files, or on an extremely busy machine. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(5);

    /**
     * A process that is just starting briefly shares its parent's connections, and may be gone before we look at it.
     */
    private static final int LOOKS = 3;

    private final Processes processes;
    private final ConnectionOwners owners;

    public PeerProcesses(Processes processes) {
        this(processes, LONGEST_SEARCH);
    }

    PeerProcesses(Processes processes, Duration longestSearch) {
        this.processes = processes;
        this.owners = new ConnectionOwners(longestSearch);
    }

    /**
     * The process, then its parent and so on; empty when it cannot be found.
     *
     * @param caller the remote end of the connection
     * @param here our end
     * @throws BusyException when the search takes too long or the caller has closed its end: opening many files, or
     *     hanging up right after a call, must not make a caller anonymous
     */
    public List<AgentProcess> of(InetSocketAddress caller, InetSocketAddress here) {
        Connection connection = new Connection(caller, here);
        if (!connection.isLocal() || !ConnectionTable.isReadable()) {
            return List.of();
        }
        for (int look = 1; look <= LOOKS; look++) {
            switch (owners.of(connection)) {
                case OwnedBy(long pid) -> {
                    List<AgentProcess> lineage = processes.lineage(pid);
                    if (!lineage.isEmpty()) {
                        return lineage;
                    }
                }
                case Hidden() -> {
                    return List.of();
                }
                case HungUp() -> throw hungUp();
                case NotFoundInTime() ->
                    throw new BusyException("finding the calling process among all connections of this"
                            + " machine takes too long; try again");
            }
        }
        throw hungUp();
    }

    private static BusyException hungUp() {
        return new BusyException("the caller hung up before it could be identified; nothing was done");
    }
}
