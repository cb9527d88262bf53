package dev.holdfast.claim;

import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Passes other brokers' changes on to callers that wait here. */
final class RemoteChanges implements EventTail.Hearing {
    /** Grants free nothing; any other event may, and domains have their own event types. */
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");

    private final Store store;
    private final Announcements announcements;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(RemoteChanges.class), "announce");

    RemoteChanges(Store store, Announcements announcements) {
        this.store = store;
        this.announcements = announcements;
    }

    @Override
    public Consumer<List<Event>> ask(Transaction transaction, long after, int max) throws SQLException {
        Map<String, ResourceRow> rows = new HashMap<>();
        ResourceTable.askFreedByOthers(
                transaction, store.origin(), after, max, row -> rows.put(row.resource.toString(), row));
        return events -> accept(events, rows);
    }

    @Override
    public void accept(List<Event> events) {
        accept(events, Map.of());
    }

    /** @param rows read with the events, as far as they could be read */
    private void accept(List<Event> events, Map<String, ResourceRow> rows) {
        List<String> unread = new ArrayList<>();
        events.stream()
                .filter(event -> !GRANTS.contains(event.type()))
                .map(Event::resource)
                .distinct()
                .forEach(key -> {
                    ResourceRow row = rows.get(key);
                    if (row == null) {
                        unread.add(key);
                    } else {
                        announcements.freed(row);
                    }
                });
        if (!unread.isEmpty()) {
            BadRows.either(() -> announced(unread), () -> oneByOne(unread));
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
