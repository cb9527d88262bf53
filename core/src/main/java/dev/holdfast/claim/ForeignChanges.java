package dev.holdfast.claim;

import dev.holdfast.event.Event;
import dev.holdfast.store.Store;
import java.util.Set;
import java.util.function.Consumer;

/** Passes other brokers' changes on to callers that wait here. */
final class ForeignChanges implements Consumer<Event> {
    /** Grants free nothing; any other event may, and domains have their own event types. */
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");

    private final Store store;
    private final Announcements announcements;

    ForeignChanges(Store store, Announcements announcements) {
        this.store = store;
        this.announcements = announcements;
    }

    @Override
    public void accept(Event event) {
        if (!GRANTS.contains(event.type())) {
            store.read(transaction -> ResourceTable.look(transaction, event.resource()))
                    .ifPresent(announcements::freed);
        }
    }
}
