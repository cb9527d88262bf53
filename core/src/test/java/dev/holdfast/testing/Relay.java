package dev.holdfast.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between a client and its server that can become slow, go silent, and break. */
public final class Relay extends TestProxy {
    private static final int STACK_BYTES = 256 << 10;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean silent;

    public Relay(int serverPort) {
        super(serverPort);
    }

    /** Delays everything by this much from now on. */
    public void delay(Duration delay) {
        this.delay = delay;
    }

    /** From now on nothing arrives, and nobody learns that a connection is useless: it is half open. */
    public void fallSilent() {
        silent = true;
    }

    /**
     * Restores normal operation. What was sent during the silence is lost, and the connections it was sent on are cut.
     */
    public void recover() {
        delay = Duration.ZERO;
        if (silent) {
            silent = false;
            cut();
        }
    }

    /** Breaks every connection at once; new ones can be opened. */
    public void cut() {
        for (Socket socket : open) {
            try {
                socket.setSoLinger(true, 0); // a reset, not an orderly close
                socket.close();
            } catch (IOException _) {
                // already closed
            }
        }
    }

    @Override
    void connected(Socket client, Socket server) throws IOException {
        client.setTcpNoDelay(true); // only the configured delay should count
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        start(client, server);
        start(server, client);
    }

    /** Not on virtual threads: the network must not become slow because the test's own callers keep those busy. */
    private void start(Socket from, Socket to) {
        Thread.ofPlatform().daemon().name("relay").stackSize(STACK_BYTES).start(() -> carry(from, to));
    }

    private void carry(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 14];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Duration now = delay;
                if (now.isPositive()) {
                    Thread.sleep(now);
                }
                if (silent) {
                    continue;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException _) {
            // one side is gone, so the other goes too
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }
}
