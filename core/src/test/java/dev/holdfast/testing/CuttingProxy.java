package dev.holdfast.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands between a client and its server and can cut a connection after a request arrived and before its answer does. */
public final class CuttingProxy extends TestProxy {
    private final AtomicReference<@Nullable Cut> wanted = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();

    /**
     * @param request what the request contains after which to cut
     * @param late cut when the next request comes, and hold that one back; if not, cut before the answer
     */
    private record Cut(String request, boolean late, Runnable meanwhile) {}

    public CuttingProxy(int serverPort) {
        super(serverPort);
    }

    /** The next request that contains this text reaches the server; its answer is lost, and so is the connection. */
    public void cutAfterRequestWith(String text) {
        cutAfterRequestWith(text, () -> {});
    }

    /** The same; this happens before the client finds out. */
    public void cutAfterRequestWith(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, false, meanwhile));
    }

    /**
     * The client is cut off when it makes the request after the next one with this text; that request still reaches the
     * server, but only when this has happened.
     */
    public void cutBeforeRequestAfter(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, true, meanwhile));
    }

    /** How many connections were cut. */
    public int cuts() {
        return cuts.get();
    }

    @Override
    void connected(Socket client, Socket server) {
        new Link(client, server).start();
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile @Nullable Cut cut;
        private String before = "";

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            Thread.ofVirtual().start(() -> pump(client, server, true));
            Thread.ofVirtual().start(() -> pump(server, client, false));
        }

        private void pump(Socket from, Socket to, boolean requests) {
            byte[] buffer = new byte[1 << 16];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    String bytes = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                    Cut marked = cut;
                    if (requests && marked != null && marked.late()) {
                        cuts.incrementAndGet();
                        from.close();
                        marked.meanwhile().run();
                    } else if (requests) {
                        markIfWanted(bytes);
                    } else if (marked != null && !marked.late()) {
                        marked.meanwhile().run();
                        cuts.incrementAndGet();
                        return;
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException _) {
                // one side is gone: so is the other
            }
        }

        /** The text may stand in two pieces, one at the end of what came before. */
        private void markIfWanted(String piece) {
            Cut next = wanted.get();
            if (next != null) {
                int overlap = Math.min(before.length(), next.request().length() - 1);
                String seen = before.substring(before.length() - overlap) + piece;
                if (seen.contains(next.request()) && wanted.compareAndSet(next, null)) {
                    cut = next;
                }
            }
            before = piece;
        }
    }
}
