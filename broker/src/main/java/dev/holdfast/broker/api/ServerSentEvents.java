package dev.holdfast.broker.api;

import dev.holdfast.event.EventTail;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Open streams of server-sent events: each hears of events while it is open, and all end with the broker. */
public final class ServerSentEvents implements AutoCloseable {
    private final EventTail tail;
    private final Set<StreamListener> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public ServerSentEvents(EventTail tail) {
        this.tail = tail;
    }

    /** Writes one stream. */
    public interface Writer {
        void write(OutputStream out) throws IOException;
    }

    /** Answers the request with what the writer writes, while the listener hears of events. */
    public void serve(Context request, StreamListener listener, Writer writer) throws IOException {
        listeners.add(listener);
        tail.watch(listener);
        try {
            HttpServletResponse response = request.res();
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("utf-8");
            response.setHeader("Cache-Control", "no-store");
            writer.write(response.getOutputStream());
        } finally {
            tail.unwatch(listener);
            listeners.remove(listener);
        }
    }

    public static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Whether the streams must end. */
    public boolean closed() {
        return closed;
    }

    /** Ends all streams; clients reconnect when a broker is back. */
    @Override
    public void close() {
        closed = true;
        listeners.forEach(StreamListener::wake);
    }
}
