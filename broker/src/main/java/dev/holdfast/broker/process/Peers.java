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
 * The process at the other end of a connection that comes from this machine, found by what Linux reports: the connection's
 * inode by its ports, and the process that has that inode open. Nobody can lie about it. It is not found on other systems,
 * through a proxy, from another container, and when it belongs to another user.
 */
public final class Peers {
    /** Among millions of open files, or on a machine that is busier than any should be, it may not be enough. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(5);

    /** A process that is being started has its parent's connections for a moment, and may be gone before it is looked at. */
    private static final int LOOKS = 3;

    private final Processes processes;
    private final ConnectionOwners owners;

    public Peers(Processes processes) {
        this(processes, LONGEST_SEARCH);
    }

    Peers(Processes processes, Duration longestSearch) {
        this.processes = processes;
        this.owners = new ConnectionOwners(longestSearch);
    }

    /**
     * The process, then its parent and so on; empty when it cannot be found.
     *
     * @param caller the connection's other end
     * @param here our end of it
     * @throws BusyException when it takes too long to find out, or the caller has closed its end: opening many files, or sending a
     *     call and hanging up, must make nobody unknown
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
