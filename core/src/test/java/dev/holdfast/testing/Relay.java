package dev.holdfast.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between a client and its server that can get slow, fall silent, and break. */
public final class Relay extends TestProxy {
    private static final int STACK_BYTES = 256 << 10;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean silent;

    public Relay(int serverPort) {
        super(serverPort);
    }

    /** From now on everything arrives so much later. */
    public void delay(Duration delay) {
        this.delay = delay;
    }

    /** From now on nothing arrives, and nobody is told that a connection is of no use: it is half open. */
    public void fallSilent() {
        silent = true;
    }

    /** As it should be. What was said in the silence is lost, and so are the connections that it was said on. */
    public void recover() {
        delay = Duration.ZERO;
        if (silent) {
            silent = false;
            cut();
        }
    }

    /** Every connection breaks at once; new ones can be made. */
    public void cut() {
        for (Socket socket : open) {
            try {
                socket.setSoLinger(true, 0); // a reset, not a polite end
                socket.close();
            } catch (IOException _) {
                // gone already
            }
        }
    }

    @Override
    void connected(Socket client, Socket server) throws IOException {
        client.setTcpNoDelay(true); // what it adds is what it is told to
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        start(client, server);
        start(server, client);
    }

    /** Not on virtual threads: a network must not get slow because the test's own callers keep those busy. */
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
            // one side is gone: so is the other
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }
}
