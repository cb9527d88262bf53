package dev.holdfast.claim;

import dev.holdfast.event.Event;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Passes other brokers' changes on to callers that wait here. */
final class ForeignChanges implements Consumer<List<Event>> {
    /** Grants free nothing; any other event may, and domains have their own event types. */
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");

    private final Store store;
    private final Announcements announcements;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(ForeignChanges.class), "announce");

    ForeignChanges(Store store, Announcements announcements) {
        this.store = store;
        this.announcements = announcements;
    }

    @Override
    public void accept(List<Event> events) {
        List<String> keys = events.stream()
                .filter(event -> !GRANTS.contains(event.type()))
                .map(Event::resource)
                .distinct()
                .toList();
        if (!keys.isEmpty()) {
            BadRows.either(() -> announced(keys), () -> oneByOne(keys));
        }
    }

    private boolean announced(List<String> keys) {
        store.read(transaction -> ResourceTable.lookAll(transaction, keys)).forEach(announcements::freed);
        return true;
    }

    private boolean oneByOne(List<String> keys) {
        keys.forEach(key -> bad.attempt(key, () -> announced(List.of(key))));
        return true;
    }
}
