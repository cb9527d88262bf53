package dev.holdfast.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets for a connection that listens for notices; the driver creates this factory by its name.
 *
 * <p>After each notice the driver waits a millisecond for another before it passes the first one on: it reads with a
 * timeout of 1 ms. That is most of the time a notice takes between two brokers, so these sockets answer such a read at
 * once: with what has arrived or with the timeout.
 */
public final class ListeningSockets extends SocketFactory {
    /** What the driver sets to see whether there is more. */
    private static final int ONLY_LOOK_MILLIS = 1;

    @Override
    public Socket createSocket() {
        return new ListeningSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw unconnectedOnly();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        throw unconnectedOnly();
    }

    private static SocketException unconnectedOnly() {
        return new SocketException("the driver connects sockets itself");
    }

    private static final class ListeningSocket extends Socket {
        private volatile boolean onlyLook;

        @Override
        public void setSoTimeout(int millis) throws SocketException {
            onlyLook = millis == ONLY_LOOK_MILLIS;
            super.setSoTimeout(millis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    if (onlyLook && available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                    return super.read(into, offset, length);
                }
            };
        }
    }
}
