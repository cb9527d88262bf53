package dev.holdfast.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sits between a client and its server, and can cut a connection after a request arrived and before its answer does.
 */
public final class CuttingProxy extends TestProxy {
    private final AtomicReference<@Nullable Cut> wanted = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();

    /** What does not reach the other side, or only after the client is gone. */
    private enum Lost {
        REQUEST,
        ANSWER,
        NEXT_REQUEST,
        NEXT_ANSWER
    }

    /** @param request the text in a request at which to cut */
    private record Cut(String request, Lost lost, Runnable meanwhile) {
        /** For the request after the one with the text. */
        Cut now() {
            return switch (lost) {
                case NEXT_REQUEST -> new Cut(request, Lost.REQUEST, meanwhile);
                case NEXT_ANSWER -> new Cut(request, Lost.ANSWER, meanwhile);
                case REQUEST, ANSWER -> this;
            };
        }
    }

    public CuttingProxy(int serverPort) {
        super(serverPort);
    }

    /** The next request with this text reaches the server; its answer is lost, and so is the connection. */
    public void cutAfterRequestWith(String text) {
        cutAfterRequestWith(text, () -> {});
    }

    /** As above; the action runs before the client finds out. */
    public void cutAfterRequestWith(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, Lost.ANSWER, meanwhile));
    }

    /** As above, for the request after the one with this text. */
    public void cutAfterRequestAfter(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, Lost.NEXT_ANSWER, meanwhile));
    }

    /**
     * Cuts the client off when it sends the request with this text; the request still reaches the server, but only
     * after the action has run.
     */
    public void cutBeforeRequestWith(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, Lost.REQUEST, meanwhile));
    }

    /** As above, for the request after the one with this text. */
    public void cutBeforeRequestAfter(String text, Runnable meanwhile) {
        wanted.set(new Cut(text, Lost.NEXT_REQUEST, meanwhile));
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
                    if (requests && isHeldBack(bytes)) {
                        cuts.incrementAndGet();
                        from.close();
                        meanwhile();
                    } else if (!requests && isLost()) {
                        meanwhile();
                        cuts.incrementAndGet();
                        return;
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException _) {
                // one side is gone, so the other goes too
            }
        }

        private void meanwhile() {
            Cut marked = cut;
            if (marked != null) {
                marked.meanwhile().run();
            }
        }

        private boolean isLost() {
            Cut marked = cut;
            return marked != null && marked.lost() == Lost.ANSWER;
        }

        private boolean isHeldBack(String request) {
            Cut marked = cut;
            if (marked == null) {
                markIfWanted(request);
            } else {
                cut = marked.now();
            }
            Cut now = cut;
            return now != null && now.lost() == Lost.REQUEST;
        }

        /** The text may be split over two pieces, the first at the end of the previous one. */
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
