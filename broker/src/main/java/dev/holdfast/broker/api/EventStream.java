package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.EventJson;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Streams events as server-sent events. A subscriber that names the last event it has seen first gets everything after
 * that; one that does not gets only new events. One that reads too slowly is disconnected, and can resume from where it
 * was.
 */
final class EventStream implements AutoCloseable {
    private static final int AT_ONCE = 500;
    /** How often a subscriber's token is checked again. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final EventTail tail;
    private final Duration heartbeat;
    private final Predicate<@Nullable String> mayContinue;
    private final ServerSentEvents streams;

    /** @param mayContinue whether the subscriber that sent this authorization header may stay connected */
    EventStream(EventTail tail, Duration heartbeat, Predicate<@Nullable String> mayContinue) {
        this.tail = tail;
        this.heartbeat = heartbeat;
        this.mayContinue = mayContinue;
        streams = new ServerSentEvents(tail);
    }

    /** Serves one subscriber until it disconnects, falls behind, its token becomes invalid, or the broker stops. */
    void serve(Context request) throws IOException {
        Long after = after(request);
        Subscriber subscriber = new Subscriber(Peer.of(request.req()));
        streams.serve(request, subscriber, out -> {
            String authorization = request.header("Authorization");
            long known = after == null ? greet(out) : catchUp(out, after, authorization);
            follow(out, subscriber, known, authorization);
        });
    }

    /** Tells a newcomer the latest event id, so that it can resume there even if it never gets an event. */
    private long greet(OutputStream out) throws IOException {
        long latest = tail.latest();
        ServerSentEvents.send(out, "id: " + latest + "\n\n");
        return latest;
    }

    /** Whoever reads slowly takes long for this: a token may end meanwhile. */
    private long catchUp(OutputStream out, long after, @Nullable String authorization) throws IOException {
        long last = after;
        List<Event> events;
        do {
            events = tail.after(last, AT_ONCE);
            StringBuilder text = new StringBuilder(":\n\n");
            events.forEach(event -> text.append(message(event)));
            ServerSentEvents.send(out, text.toString());
            last = events.isEmpty() ? last : events.getLast().id();
        } while (events.size() == AT_ONCE && !streams.closed() && mayContinue.test(authorization));
        return last;
    }

    /**
     * The subscriber has been listening since before the catch-up, so nothing is missed; events in both are sent once.
     *
     * @param authorization null: it needs no token, so nothing has to be checked between heartbeats
     */
    private void follow(OutputStream out, Subscriber subscriber, long caughtUp, @Nullable String authorization)
            throws IOException {
        Duration patience = patience(heartbeat, authorization);
        long last = caughtUp;
        long said = System.nanoTime();
        while (!streams.closed()) {
            List<Event> heard = subscriber.take(patience);
            if (subscriber.overrun() || !mayContinue.test(authorization)) {
                return;
            }
            StringBuilder text = new StringBuilder();
            for (Event event : heard) {
                if (event.id() > last) {
                    text.append(message(event));
                    last = event.id();
                }
            }
            boolean silent = System.nanoTime() - said < heartbeat.toNanos();
            if (!streams.closed() && !(text.isEmpty() && silent)) {
                ServerSentEvents.send(out, text.isEmpty() ? ":\n\n" : text.toString());
                said = System.nanoTime();
            }
        }
    }

    /** How long to wait for events before the next heartbeat or token check. */
    static Duration patience(Duration heartbeat, @Nullable String authorization) {
        return authorization == null || heartbeat.compareTo(LOOK) < 0 ? heartbeat : LOOK;
    }

    private static String message(Event event) {
        return "id: " + event.id() + "\nevent: " + event.type() + "\ndata: "
                + MAPPER.writeValueAsString(EventJson.json(event)) + "\n\n";
    }

    private static @Nullable Long after(Context request) {
        String asked = request.header("Last-Event-ID");
        String name = "Last-Event-ID";
        if (asked == null || asked.isBlank()) {
            asked = request.queryParam("after");
            name = "after";
        }
        if (asked == null) {
            return null;
        }
        try {
            long id = Long.parseLong(asked.strip());
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new EarlyAnswerException(Answer.refused(
                RefusalCode.INVALID, name + " must be the id of an event, a whole number of at least 0"));
    }

    @Override
    public void close() {
        streams.close();
    }
}
