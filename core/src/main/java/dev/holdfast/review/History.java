package dev.holdfast.review;

import dev.holdfast.event.EventTail;
import dev.holdfast.event.Events;
import dev.holdfast.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to reviews, oldest first: read from the events that every change has written. */
public final class History {
    private final Store store;
    private final EventTail tail;

    History(Store store, EventTail tail) {
        this.store = store;
        this.tail = tail;
    }

    /**
     * @param id null: of all reviews
     * @throws RefusedException when there is no such review
     */
    public Page<AuditEvent> events(@Nullable String id, Page.Asked asked) {
        long after = asked.position(0, 0)[1];
        long until = tail.latest();
        List<AuditEvent> found = store
                .read(transaction -> {
                    if (id == null) {
                        return Events.ofResources(transaction, "review:", "review;", after, until, asked.oneMore());
                    }
                    ReviewTable.mustExist(transaction, id);
                    return Events.ofResource(transaction, "review:" + id, after, Long.MAX_VALUE, asked.oneMore());
                })
                .stream()
                .map(AuditEvent::of)
                .toList();
        return Page.of(found, asked, event -> Long.toString(event.id()));
    }
}
