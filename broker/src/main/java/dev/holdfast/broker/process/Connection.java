package dev.holdfast.broker.process;

import java.net.InetSocketAddress;

/**
 * An accepted connection.
 *
 * @param caller the remote end
 * @param here our end
 */
record Connection(InetSocketAddress caller, InetSocketAddress here) {
    /** Whether the remote end may be on this machine. */
    boolean isLocal() {
        return caller.getAddress().isLoopbackAddress() || caller.getAddress().equals(here.getAddress());
    }
}
