package dev.holdfast.task;

import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Actions to do because tasks have ended. Several brokers may process it: a broker takes an action for a limited time,
 * and the action is due again if that broker does not report back. So everything is done at least once, and must
 * tolerate repeats.
 */
public final class Outbox {
    private static final int LONGEST_ERROR = 1_000;
    /** How many are skipped in one transaction. */
    private static final int AT_ONCE = 200;

    /** An error may quote what an endpoint sent, and not every store accepts every character. */
    private static final Pattern UNWRITABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    /**
     * An action to do.
     *
     * @param payload JSON: the task's {@code on_finish}
     * @param attempt 1 for the first
     */
    public record Due(String taskId, String payload, long attempt) {}

    /**
     * The state of one task's follow-up action.
     *
     * @param dueAt when it is tried next; null if it is done or given up
     */
    public record Delivery(
            long attempts,
            @Nullable String lastError,
            @Nullable Instant dueAt,
            @Nullable Instant deliveredAt) {}

    private final Store store;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(Outbox.class), "begin what follows task");

    Outbox(Store store) {
        this.store = store;
    }

    /** Whether anything is left to do, now or later. */
    public static boolean anyLeft(Store store) {
        return store.read(OutboxTable::anyLeft);
    }

    /** Decides what may be taken next: an action for a slow place must not hold up the rest. */
    public interface Slots {
        /** Where this action takes place; null: here. */
        @Nullable
        String of(String payload);

        /** Whether an action can be started there now. */
        boolean free(String place);
    }

    /** The next action whose place is free; it is the caller's for this long. */
    public Optional<Due> take(Duration mine, Slots slots) {
        while (true) {
            Look look = BadRows.either(
                    () -> store.write(transaction -> look(transaction, mine, slots)), () -> oneByOne(mine, slots));
            if (look.due != null || !look.more) {
                return Optional.ofNullable(look.due);
            }
        }
    }

    /** @param more more is due than was looked at */
    private record Look(@Nullable Due due, boolean more) {}

    /**
     * Records the place of everything that is skipped, so that the next search excludes it without reading it. Nothing
     * else changes: neither its position nor its number of attempts.
     */
    private static Look look(Transaction transaction, Duration mine, Slots slots) throws SQLException {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Optional<Due> next = OutboxTable.next(transaction, taken);
            if (next.isEmpty()) {
                return new Look(null, false);
            }
            String place = slots.of(next.get().payload());
            if (place == null || slots.free(place)) {
                OutboxTable.take(transaction, next.get(), transaction.now() + mine.toNanos() / 1_000);
                return new Look(next.get(), true);
            }
            taken.add(place);
            OutboxTable.place(transaction, next.get(), place);
        }
        return new Look(null, true);
    }

    /** The first one that can be taken. */
    private Look oneByOne(Duration mine, Slots slots) {
        for (String taskId : store.read(transaction -> OutboxTable.due(transaction, AT_ONCE + bad.count()))) {
            Optional<Due> taken = bad.attempt(
                    taskId,
                    () -> store.write(transaction -> takeThis(transaction, taskId, mine, slots)),
                    Optional.empty());
            if (taken.isPresent()) {
                return new Look(taken.get(), true);
            }
        }
        return new Look(null, false);
    }

    private static Optional<Due> takeThis(Transaction transaction, String taskId, Duration mine, Slots slots)
            throws SQLException {
        Optional<Due> due = OutboxTable.next(transaction, taskId);
        String place = due.map(one -> slots.of(one.payload())).orElse(null);
        if (due.isEmpty() || (place != null && !slots.free(place))) {
            return Optional.empty();
        }
        OutboxTable.take(transaction, due.get(), transaction.now() + mine.toNanos() / 1_000);
        return due;
    }

    /** Those of these tasks whose follow-up was given up, with the last error. */
    public Map<String, String> givenUp(Collection<String> taskIds) {
        return taskIds.isEmpty() ? Map.of() : store.read(transaction -> OutboxTable.givenUp(transaction, taskIds));
    }

    public void done(Due due) {
        store.write(transaction -> OutboxTable.end(transaction, due, null, null, transaction.now()));
    }

    /** @param again the delay before the next attempt; null: give up */
    public void failed(Due due, String error, @Nullable Duration again) {
        String plain = UNWRITABLE.matcher(error).replaceAll("?");
        String kept = plain.length() <= LONGEST_ERROR ? plain : plain.substring(0, LONGEST_ERROR) + "…";
        store.write(transaction -> OutboxTable.end(
                transaction, due, again == null ? null : transaction.now() + again.toNanos() / 1_000, kept, null));
    }
}
