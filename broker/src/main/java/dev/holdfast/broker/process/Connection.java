package dev.holdfast.broker.process;

import java.net.InetSocketAddress;

/**
 * A connection that we accepted.
 *
 * @param caller its other end
 * @param here our end
 */
record Connection(InetSocketAddress caller, InetSocketAddress here) {
    /** Whether the other end may be on this machine. */
    boolean isLocal() {
        return caller.getAddress().isLoopbackAddress() || caller.getAddress().equals(here.getAddress());
    }
}
