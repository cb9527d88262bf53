package dev.holdfast.claim;

import dev.holdfast.event.Signals;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Announces, after a commit, that something can be claimed: to those waiting for it by name, and to those waiting for
 * its kind.
 */
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

    /** The listener is told about every ready resource before any waiter is. */
    void listen(Consumer<Item> listener) {
        listeners.add(listener);
    }

    /**
     * The resource was released or created, so waiters may try. One that claim-next does not offer is announced by name
     * only.
     */
    void freed(ResourceRow row) {
        if (row.offered()) {
            offered(Item.of(row));
        }
        ended(row.resource);
    }

    /** Claim-next may hand it out. */
    void offered(Item item) {
        listeners.forEach(listener -> listener.accept(item));
        signals.raise(topic(item.kind()), item);
    }

    /** It is done or not offered by claim-next: only those waiting for it by name are told. */
    void ended(Resource resource) {
        signals.raise(topic(resource), resource);
    }
}
