package dev.holdfast.claim;

import dev.holdfast.event.Signals;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tells, after a commit, that something can be claimed: to those who wait for it by name, and to those who wait for its kind. */
final class Announcements {
    private final Signals signals;
    private final List<Consumer<Item>> listeners = new CopyOnWriteArrayList<>();

    Announcements(Signals signals) {
        this.signals = signals;
    }

    static String topic(Resource resource) {
        return resource.toString();
    }

    static String topic(Kind kind) {
        return kind.toString();
    }

    /** Hears of every ready thing before any waiter does. */
    void listen(Consumer<Item> listener) {
        listeners.add(listener);
    }

    /** It was let go, or made: whoever waits may try. Things kept out of claim-next are announced by name only. */
    void freed(ResourceRow row) {
        if (row.offered()) {
            offered(Item.of(row));
        }
        ended(row.resource);
    }

    /** Claim-next may give it away. */
    void offered(Item item) {
        listeners.forEach(listener -> listener.accept(item));
        signals.raise(topic(item.kind()), item);
    }

    /** It is done, or not offered: only who waits for it by name is to know. */
    void ended(Resource resource) {
        signals.raise(topic(resource), resource);
    }
}
