package dev.holdfast.broker.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/** The other end of a call: whether it is still there, and how to hang up on it. */
record Peer(EndPoint connection) {
    /** What a caller that should be waiting for its answer is found doing. */
    enum State {
        WAITING,
        /** It has sent something more, which is now read and lost: the connection can't be used for it. */
        TALKING,
        GONE
    }

    static Peer of(HttpServletRequest request) {
        return new Peer(ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint());
    }

    /**
     * Looks whether the caller has hung up. Writing to it would not show that: the first write to a connection that the
     * other end has closed succeeds. Reading does, and nobody else reads while the one answer is pending.
     */
    State look() {
        try {
            ByteBuffer read = BufferUtil.allocate(1);
            int count = connection.fill(read);
            return count < 0 ? State.GONE : count == 0 ? State.WAITING : State.TALKING;
        } catch (IOException _) {
            return State.GONE;
        }
    }

    void hangUp() {
        connection.close();
    }
}
