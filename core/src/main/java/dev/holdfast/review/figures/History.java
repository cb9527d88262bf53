package dev.holdfast.review.figures;

import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.event.Events;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to reviews and to the brokers' own reviewers, read from the events of every change. */
public record History(Store store, EventTail tail) {
    /** The bounds are literals, not parameters, so that the partial index of these events can be used. */
    private static final Sql OF_ALL = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events /* INDEXED BY events_of_reviews */
            WHERE resource >= 'review:' AND resource < 'reviewer;' AND id > :after AND id <= :until ORDER BY id LIMIT :max
            """);

    /** The wider bound is the index's; SQLite uses the index only if it is repeated here. */
    private static final Sql OF_REVIEWS = Sql.of("""
            SELECT id, at, type, resource, actor, generation, detail, origin FROM events /* INDEXED BY events_of_reviews */
            WHERE resource >= 'review:' AND resource < 'reviewer;' AND resource < 'review;' AND id > :after AND id <= :until
            ORDER BY id LIMIT :max
            """);

    /**
     * Oldest first.
     *
     * @param id null: the events of all reviews and pool reviewers
     * @throws RefusedException if there is no such review
     */
    public Page<AuditEvent> events(@Nullable String id, Page.Request asked) {
        long after = asked.position(0, 0)[1];
        long until = tail.latest();
        List<AuditEvent> found = store
                .read(transaction -> {
                    if (id == null) {
                        return found(OF_ALL, transaction, after, until, asked.oneMore());
                    }
                    ReviewTable.mustExist(transaction, id);
                    return Events.ofResource(transaction, "review:" + id, after, Long.MAX_VALUE, asked.oneMore());
                })
                .stream()
                .map(AuditEvent::of)
                .toList();
        return Page.of(found, asked, event -> Long.toString(event.id()));
    }

    /** The newest events of a review before this one, at most this many, newest first. */
    public List<AuditEvent> newest(String id, long before, int max) {
        return store
                .read(transaction -> Events.before(transaction, "review:" + id, before, Long.MAX_VALUE, max))
                .stream()
                .map(AuditEvent::of)
                .toList();
    }

    /** The events of all reviews after this one, at most this many. */
    static List<Event> ofReviews(Transaction transaction, long after, long until, int max) throws SQLException {
        return found(OF_REVIEWS, transaction, after, until, max);
    }

    private static List<Event> found(Sql which, Transaction transaction, long after, long until, int max)
            throws SQLException {
        return transaction.list(
                which, p -> p.number("after", after).number("until", until).number("max", max), Events::read);
    }
}
