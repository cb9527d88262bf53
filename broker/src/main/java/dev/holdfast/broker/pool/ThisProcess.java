package dev.holdfast.broker.pool;

import dev.holdfast.broker.process.Machine;
import dev.holdfast.review.pool.PoolReviewer.Host;
import dev.holdfast.review.pool.PoolReviewer.Started;

/** Identifies this process to other brokers, which may have to clean up its reviewers. */
public final class ThisProcess {
    private ThisProcess() {}

    public static Host on(Machine machine) {
        ProcessHandle self = ProcessHandle.current();
        return new Host(machine.id(), new Started(self.pid(), ProcessTree.started(self)));
    }
}
