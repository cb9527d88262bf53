package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sits between a client and a server on this machine, and interferes with their traffic. */
abstract class TestProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int serverPort;

    TestProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Takes over both ends of a new connection, and closes them in the end. Must not block. */
    abstract void connected(Socket client, Socket server) throws IOException;

    public final int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            connected(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
        } catch (IOException _) { // nobody is listening there
            client.close();
        }
    }

    /** Copies until one side is gone, then closes the other too. */
    static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // gone
        }
    }

    @Override
    public final void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
