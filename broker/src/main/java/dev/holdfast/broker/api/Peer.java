package dev.holdfast.broker.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/** The other end of a call: tells whether it is still there, and can hang up. */
record Peer(EndPoint connection) {
    /** What a caller that should be waiting for its answer is actually doing. */
    enum State {
        WAITING,
        /** It has sent more data, which this check has consumed: the connection cannot be used again. */
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
     * Checks whether the caller has hung up. A write would not tell: the first write to a connection that the other end
     * has closed succeeds. A read does tell, and nobody else reads while the answer is pending.
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
