package dev.holdfast.broker.pool;

import dev.holdfast.broker.process.Machine;
import dev.holdfast.review.PoolReviewer.Host;
import dev.holdfast.review.PoolReviewer.Started;

/** This process as others know it that may have to bury its reviewers. */
public final class BrokerProcess {
    private BrokerProcess() {}

    /** This machine, or rather this space of process numbers, and this process. */
    public static Host here() {
        ProcessHandle self = ProcessHandle.current();
        return new Host(Machine.name() + "/" + Machine.space(), new Started(self.pid(), ProcessTree.started(self)));
    }
}
