package dev.holdfast.review.figures;

import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.review.figures.TallyTable.Sum;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Adds up what happens to reviews, counting each event once, so that the statistics cost the same however much has
 * happened.
 *
 * <ol>
 *   <li>A stay in a status lasts until the status changes: comments, messages and takeovers do not end it. It is
 *       counted when it is over.
 *   <li>Events are counted in their settled order, in bounded batches. The position is stored with the sums and moves
 *       in the same transaction. Brokers on one store take turns.
 *   <li>What has been counted stays counted: averages and the approval rate still include dropped reviews.
 * </ol>
 */
public record Tally(Store store, EventTail tail) {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);
    private static final int AT_ONCE = 500;

    /** A batch's sums, by project and figure. */
    private static final class Batch {
        private record Figure(String project, String name) {}

        private final Transaction transaction;
        private final Map<String, CountedReview> reviews = new LinkedHashMap<>();
        private final Map<Figure, Sum> sums = new LinkedHashMap<>();

        Batch(Transaction transaction) {
            this.transaction = transaction;
        }

        void count(Event event) throws SQLException {
            AuditEvent audit = AuditEvent.of(event);
            long at = LeaseClock.micros(event.at());
            CountedReview known = known(audit, at);
            if (known == null) {
                return;
            }
            CountedReview review = known;
            if (audit.type().equals("review_revised")) {
                review = moved(review, projectOf(audit, review.project()));
            }
            String next = audit.newStatus();
            if (next != null && !next.equals(review.status())) {
                add(review.project(), "stay:" + review.status(), 1, at - review.since());
                add(review.project(), "now:" + review.status(), -1, 0);
                add(review.project(), "now:" + next, 1, 0);
                review = review.in(next, at);
            }
            if (audit.type().equals("verdict_submitted")) {
                review = judged(review, at);
            }
            if (audit.type().equals("review_closed")) {
                add(review.project(), "closed", 1, at - review.createdAt());
            }
            reviews.put(review.id(), review);
        }

        /** The review as counted so far; a review seen for the first time is counted as new. */
        private @Nullable CountedReview known(AuditEvent audit, long at) throws SQLException {
            String id = audit.reviewId();
            if (id == null) {
                return null; // the event is about content, not about a review
            }
            CountedReview met = reviews.get(id);
            if (met != null) {
                return met;
            }
            Optional<CountedReview> before = TallyTable.find(transaction, id);
            String status = audit.newStatus();
            if (before.isPresent() || status == null) {
                return before.orElse(null);
            }
            Optional<CountedReview> fresh = TallyTable.firstSeen(transaction, id, status, at);
            fresh.ifPresent(review -> {
                add(review.project(), "now:" + status, 1, 0);
                add(review.project(), "category:" + review.category(), 1, 0);
            });
            return fresh.orElse(null);
        }

        private CountedReview judged(CountedReview review, long at) {
            boolean approving = review.status().equals(ReviewStatus.APPROVED.toString());
            if (!review.judged()) {
                add(review.project(), "judged", 1, 0);
                add(review.project(), "verdict", 1, at - review.createdAt());
            }
            if (approving && !review.approved()) {
                add(review.project(), "approved", 1, 0);
            }
            return review.afterVerdict(approving);
        }

        /** A revision may change the project: the review then counts there. */
        private CountedReview moved(CountedReview review, String project) {
            if (!project.equals(review.project())) {
                take(review, -1);
                take(review.of(project), 1);
            }
            return review.of(project);
        }

        /** Adds the review itself to the counts, or subtracts it. */
        private void take(CountedReview review, int sign) {
            add(review.project(), "now:" + review.status(), sign, 0);
            add(review.project(), "category:" + review.category(), sign, 0);
            if (review.judged()) {
                add(review.project(), "judged", sign, 0);
            }
            if (review.approved()) {
                add(review.project(), "approved", sign, 0);
            }
        }

        private void add(String project, String figure, long number, long micros) {
            sums.merge(
                    new Figure(project, figure),
                    new Sum(number, Math.max(0, micros)),
                    (sum, more) -> sum.plus(more.number(), more.micros()));
        }

        void keep() throws SQLException {
            for (CountedReview review : reviews.values()) {
                TallyTable.keep(transaction, review);
            }
            for (Map.Entry<Figure, Sum> sum : sums.entrySet()) {
                TallyTable.add(transaction, sum.getKey().project(), sum.getKey().name(), sum.getValue());
            }
        }
    }

    /** Counts all events up to now. */
    void catchUp() {
        long until = tail.latest();
        while (behind(until)) {
            BadRows.either(() -> store.write(transaction -> count(transaction, until, AT_ONCE)), () -> countOne(until));
        }
    }

    /** Counts one event, or skips it: an event that cannot be counted must not block all later ones. */
    private int countOne(long until) {
        return BadRows.either(() -> store.write(transaction -> count(transaction, until, 1)), () -> {
            Event bad = store.write(transaction -> {
                Event next = History.ofReviews(transaction, TallyTable.lock(transaction), until, 1)
                        .getFirst();
                TallyTable.move(transaction, next.id());
                return next;
            });
            LOG.error("event {} of {} cannot be counted; the statistics leave it out", bad.id(), bad.resource());
            return 1;
        });
    }

    /** Subtracts a dropped review, fully counted by now, from the current numbers; it stays in the averages. */
    void forget(Transaction transaction, String id) throws SQLException {
        Optional<CountedReview> review = TallyTable.find(transaction, id);
        if (review.isPresent()) {
            Sum one = new Sum(-1, 0);
            TallyTable.add(
                    transaction, review.get().project(), "now:" + review.get().status(), one);
            TallyTable.add(
                    transaction,
                    review.get().project(),
                    "category:" + review.get().category(),
                    one);
            TallyTable.forget(transaction, id);
        }
    }

    private boolean behind(long until) {
        return store.read(transaction -> !History.ofReviews(transaction, TallyTable.counted(transaction), until, 1)
                .isEmpty());
    }

    private int count(Transaction transaction, long until, int max) throws SQLException {
        List<Event> events = History.ofReviews(transaction, TallyTable.lock(transaction), until, max);
        if (!events.isEmpty()) {
            Batch batch = new Batch(transaction);
            for (Event event : events) {
                batch.count(event);
            }
            batch.keep();
            TallyTable.move(transaction, events.getLast().id());
        }
        return events.size();
    }

    private static String projectOf(AuditEvent audit, String otherwise) {
        JsonNode project = audit.metadata() instanceof JsonNode metadata ? metadata.get("project") : null;
        return project == null || project.isNull() ? otherwise : Project.key(project.asString());
    }
}
