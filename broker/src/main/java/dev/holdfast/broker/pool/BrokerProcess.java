package dev.holdfast.broker.pool;

import dev.holdfast.broker.process.Machine;
import dev.holdfast.review.pool.PoolReviewer.Host;
import dev.holdfast.review.pool.PoolReviewer.Started;

/** This process as others know it that may have to bury its reviewers. */
public final class BrokerProcess {
    private BrokerProcess() {}

    public static Host on(Machine machine) {
        ProcessHandle self = ProcessHandle.current();
        return new Host(machine.id(), new Started(self.pid(), ProcessTree.started(self)));
    }
}
