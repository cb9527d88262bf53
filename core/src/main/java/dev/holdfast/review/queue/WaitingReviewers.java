package dev.holdfast.review.queue;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.event.PeriodicTask;
import dev.holdfast.event.Signals;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The line of callers that wait to be shown something to review. They need not claim what they are shown.
 *
 * <ol>
 *   <li>A caller looks first, and waits only if there is nothing for it.
 *   <li>A review that becomes pending, through any broker, wakes one waiter in each broker: of those that want it, the
 *       one that has waited longest.
 *   <li>If the review is still pending after a pause, it wakes the next waiter, and so on: a review that somebody was
 *       shown and did not claim is shown to the others, without anybody having to wait until its own deadline.
 * </ol>
 */
public final class WaitingReviewers implements Consumer<Event>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingReviewers.class);
    /** How long a caller that was shown a review has to claim it before it is shown to the next. */
    public static final Duration PAUSE = Duration.ofSeconds(2);

    private static final Duration IDLE = Duration.ofHours(1);
    private static final String TOPIC = "pending";

    /** These events make no review pending. */
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");

    private static final Sql STILL_PENDING = Sql.of("""
            SELECT v.project_key, v.category, v.reserved_for FROM reviews v
            """ + ClaimSql.join(Kind.REVIEW, "v.id", "r") + """
            WHERE v.id = :id AND v.status = 'pending' AND r.state <> 'held'
            """);

    /** @param reservedFor the only reviewer that can claim it; null: anybody */
    public record Pending(
            String id,
            String project,
            @Nullable String category,
            @Nullable String reservedFor) {}

    private final Store store;
    private final EventTail tail;
    private final long pauseNanos;
    private final Signals signals = new Signals();
    private final PeriodicTask again = new PeriodicTask("holdfast-queue", this::wakeMore);
    /** When to look again, by {@code nanoTime}, at reviews that were shown to somebody and that others still want. */
    private final Map<String, Long> shown = new ConcurrentHashMap<>();

    public WaitingReviewers(Store store, EventTail tail, Duration pause) {
        this.store = store;
        this.tail = tail;
        pauseNanos = pause.toNanos();
        tail.watchReviews(this);
        again.start();
    }

    /** Looks until the result is enough, or the time is over; returns the last result. */
    public <T> T await(Predicate<Pending> wants, Duration patience, Supplier<T> look, Predicate<T> enough) {
        long deadline = System.nanoTime() + patience.toNanos();
        Signals.Seen seen = signals.look(TOPIC);
        T found = look.get();
        while (!enough.test(found) && deadline - System.nanoTime() > 0 && !signals.closed()) {
            Signals.Waiter waiter =
                    signals.enlist(wants, what -> what instanceof Pending pending && wants.test(pending), seen);
            boolean looked = false;
            try {
                waiter.await(deadline);
                seen = signals.look(TOPIC);
                found = look.get();
                looked = true;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return found;
            } finally {
                waiter.leave(looked);
            }
        }
        return found;
    }

    @Override
    public void accept(Event event) {
        if (event.resource().startsWith("review:") && !GRANTS.contains(event.type())) {
            // first: a caller that has looked but is not in line yet will look once more
            signals.raise(TOPIC, event);
            if (signals.waiting(TOPIC) > 0) {
                show(event.resource().substring("review:".length()));
            }
        }
    }

    /** Wakes one caller that wants it, if it is still pending; if more want it, schedules another look. */
    private void show(String id) {
        Optional<Pending> pending = store.read(transaction -> transaction.first(
                STILL_PENDING,
                p -> p.text("id", id),
                row -> new Pending(
                        id, row.text("project_key"), row.textOrNull("category"), row.textOrNull("reserved_for"))));
        pending.ifPresent(review -> signals.raise(TOPIC, review));
        if (pending.isPresent() && signals.wanted(TOPIC, pending.get())) {
            shown.put(id, System.nanoTime() + pauseNanos);
            again.nudge();
        } else {
            shown.remove(id);
        }
    }

    private long wakeMore() {
        long now = System.nanoTime();
        long pause = IDLE.toNanos();
        for (Map.Entry<String, Long> one : shown.entrySet()) {
            long left = one.getValue() - now;
            if (left <= 0) {
                showAgain(one.getKey());
                left = pauseNanos;
            }
            pause = Math.min(pause, left);
        }
        return pause;
    }

    private void showAgain(String id) {
        try {
            show(id);
        } catch (StoreException e) {
            LOG.warn("cannot look at review {} now: {}", id, e.getMessage());
            shown.put(id, System.nanoTime() + pauseNanos);
        }
    }

    /** How many callers wait. */
    public int waiting() {
        return signals.waiting(TOPIC);
    }

    /** Answers everybody who waits with what there is. */
    @Override
    public void close() {
        tail.unwatch(this);
        signals.close();
        again.close();
    }
}
