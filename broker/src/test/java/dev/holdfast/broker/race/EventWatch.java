package dev.holdfast.broker.race;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Somebody who follows the events through one broker and another, from the first to the last. */
final class EventWatch {
    private static final int PAGE = 1_000;

    private final List<PatientCaller> brokers;
    private final AtomicInteger ended = new AtomicInteger();
    private final CompletableFuture<List<Long>> seen;
    private volatile boolean over;

    EventWatch(List<URI> brokers) {
        this.brokers = brokers.stream().map(PatientCaller::new).toList();
        seen = CompletableFuture.supplyAsync(this::follow);
    }

    private List<Long> follow() {
        List<Long> ids = new ArrayList<>();
        try {
            long after = 0;
            for (int turn = 0; ; turn++) {
                boolean last = over;
                JsonNode page =
                        brokers.get(turn % brokers.size()).call("get_events", Map.of("after", after, "limit", PAGE));
                for (JsonNode event : page.path("events")) {
                    if (!event.path("resource").asString().startsWith("broker:")) {
                        ids.add(event.path("id").asLong());
                    }
                    if (event.path("type").asString().equals("task_finished")) {
                        ended.incrementAndGet();
                    }
                }
                after = page.path("next_after").asLong();
                if (page.path("events").isEmpty()) {
                    if (last) {
                        return ids;
                    }
                    Thread.sleep(50);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many tasks it was told the end of. */
    int ended() {
        return ended.get();
    }

    /** The ids of all events but those of brokers themselves, in the order that they were told. */
    List<Long> all() {
        over = true;
        return seen.join();
    }
}
