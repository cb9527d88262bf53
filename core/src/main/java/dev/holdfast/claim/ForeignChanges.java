package dev.holdfast.claim;

import dev.holdfast.event.Event;
import dev.holdfast.store.Store;
import java.util.Set;
import java.util.function.Consumer;

/** Other brokers' changes, passed on to those who wait here. */
final class ForeignChanges implements Consumer<Event> {
    private static final Set<String> FREEING =
            Set.of("created", "released", "completed", "failed", "reclaimed", "unblocked", "parked", "due");

    private final Store store;
    private final Announcements announcements;

    ForeignChanges(Store store, Announcements announcements) {
        this.store = store;
        this.announcements = announcements;
    }

    @Override
    public void accept(Event event) {
        if (FREEING.contains(event.type())) {
            store.read(transaction -> ResourceTable.look(transaction, event.resource()))
                    .ifPresent(announcements::freed);
        }
    }
}
