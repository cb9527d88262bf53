package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.api.ServerSentEvents;
import dev.holdfast.broker.api.StreamListener;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Tells open pages that what they show has changed, and nothing more: the page then fetches itself again. So a thousand
 * events cost a page one fetch, and what it shows always comes from the same place.
 */
final class LiveStream implements AutoCloseable {
    /** Pages treat twice this much silence as an outage. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);
    /** Events this close together are sent as one. */
    private static final Duration TOGETHER = Duration.ofMillis(250);

    private static final int LONGEST_TOPICS = 500;

    private final EventTail tail;
    private final Function<Context, BooleanSupplier> mayContinue;
    private final ServerSentEvents streams;

    /** @param mayContinue whether the client behind a request may still be told of changes */
    LiveStream(EventTail tail, Function<Context, BooleanSupplier> mayContinue) {
        this.tail = tail;
        this.mayContinue = mayContinue;
        streams = new ServerSentEvents(tail);
    }

    /**
     * {@code GET /ui/live?topics=review:,work:&after=17}, until the page goes away, its token ends, or the broker
     * stops.
     */
    void serve(Context request) throws IOException {
        String asked = request.queryParam("topics");
        List<String> topics = asked == null || asked.isBlank() || asked.length() > LONGEST_TOPICS
                ? List.of("")
                : Arrays.asList(asked.split(","));
        Listener listener = new Listener(topics);
        streams.serve(request, listener, out -> follow(out, listener, after(request), mayContinue.apply(request)));
    }

    /** @param shown the last event that the page knows of */
    private void follow(OutputStream out, Listener listener, long shown, BooleanSupplier goesOn) throws IOException {
        long latest = tail.latest();
        ServerSentEvents.send(
                out, latest > shown && shown >= 0 ? changed(latest) : "event: here\ndata: " + latest + "\n\n");
        while (!streams.closed()) {
            long heard = listener.take(SIGN_OF_LIFE);
            if (streams.closed() || !goesOn.getAsBoolean()) {
                return;
            }
            ServerSentEvents.send(out, heard < 0 ? "event: here\ndata: 0\n\n" : changed(heard));
        }
    }

    private static String changed(long id) {
        return "event: changed\nid: " + id + "\ndata: " + id + "\n\n";
    }

    private static long after(Context request) {
        String said = request.header("Last-Event-ID");
        if (said == null) {
            said = request.queryParam("after");
        }
        try {
            return said == null ? -1 : Long.parseLong(said);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    @Override
    public void close() {
        streams.close();
    }

    /** Remembers only the last relevant event, so a page that reads slowly costs nothing. */
    private static final class Listener extends StreamListener {
        private static final long NOTHING = -1;

        private final List<String> topics;
        private long heard = NOTHING;

        Listener(List<String> topics) {
            this.topics = topics;
        }

        @Override
        public void accept(Event event) {
            if (topics.stream().noneMatch(event.resource()::startsWith)) {
                return;
            }
            lock.lock();
            try {
                heard = event.id();
                changed.signal();
            } finally {
                lock.unlock();
            }
        }

        /** The last event since the previous call; negative if none came within {@code patience}. */
        long take(Duration patience) {
            lock.lock();
            try {
                long left = patience.toNanos();
                while (heard == NOTHING && !woken && left > 0) {
                    left = changed.awaitNanos(left);
                }
                if (heard != NOTHING && !woken) {
                    long together = TOGETHER.toNanos();
                    while (together > 0 && !woken) {
                        together = changed.awaitNanos(together);
                    }
                }
                long taken = heard;
                heard = NOTHING;
                return taken;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return NOTHING;
            } finally {
                lock.unlock();
            }
        }
    }
}
