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
 * What is to be done because tasks have ended. Several brokers may work on it: each thing is taken by one of them for a
 * while, and is due again if that one does not come back. So everything is done at least once, and must bear a repeat.
 */
public final class Outbox {
    private static final int LONGEST_ERROR = 1_000;
    /** How many are passed over in one transaction. */
    private static final int AT_ONCE = 200;

    /** An error may quote what an endpoint sent, and not every store takes every character. */
    private static final Pattern UNWRITABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}]");

    /**
     * Something to do.
     *
     * @param payload JSON: what the task's {@code on_finish} said
     * @param attempt the first, the second, ...
     */
    public record Due(String taskId, String payload, long attempt) {}

    /**
     * How it stands with what one task wanted done.
     *
     * @param dueAt when it is tried next; null: it is done or given up
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

    /** Who else has a say in what is taken next: what waits for a place that is slow must not hold up the rest. */
    public interface Places {
        /** Where this is to be done; null: here. */
        @Nullable
        String of(String payload);

        /** Whether something can be done there now. */
        boolean free(String place);
    }

    /** The next thing to do whose place is free, which is this caller's for so long. */
    public Optional<Due> take(Duration mine, Places places) {
        while (true) {
            Look look = BadRows.either(
                    () -> store.write(transaction -> look(transaction, mine, places)), () -> oneByOne(mine, places));
            if (look.due != null || !look.more) {
                return Optional.ofNullable(look.due);
            }
        }
    }

    /** @param more what was looked at is not all that is due */
    private record Look(@Nullable Due due, boolean more) {}

    /**
     * Notes the place of everything that is passed over, so that the next search leaves it out without reading it. Nothing
     * else of it changes: neither its turn nor the number of attempts.
     */
    private static Look look(Transaction transaction, Duration mine, Places places) throws SQLException {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Optional<Due> next = OutboxTable.next(transaction, taken);
            if (next.isEmpty()) {
                return new Look(null, false);
            }
            String place = places.of(next.get().payload());
            if (place == null || places.free(place)) {
                OutboxTable.take(transaction, next.get(), transaction.now() + mine.toNanos() / 1_000);
                return new Look(next.get(), true);
            }
            taken.add(place);
            OutboxTable.place(transaction, next.get(), place);
        }
        return new Look(null, true);
    }

    /** The first of them that can be taken. */
    private Look oneByOne(Duration mine, Places places) {
        for (String taskId : store.read(transaction -> OutboxTable.due(transaction, AT_ONCE + bad.count()))) {
            Optional<Due> taken = bad.attempt(
                    taskId,
                    () -> store.write(transaction -> takeThis(transaction, taskId, mine, places)),
                    Optional.empty());
            if (taken.isPresent()) {
                return new Look(taken.get(), true);
            }
        }
        return new Look(null, false);
    }

    private static Optional<Due> takeThis(Transaction transaction, String taskId, Duration mine, Places places)
            throws SQLException {
        Optional<Due> due = OutboxTable.next(transaction, taskId);
        String place = due.map(one -> places.of(one.payload())).orElse(null);
        if (due.isEmpty() || (place != null && !places.free(place))) {
            return Optional.empty();
        }
        OutboxTable.take(transaction, due.get(), transaction.now() + mine.toNanos() / 1_000);
        return due;
    }

    /** Of these tasks, those whose follow-up was given up, with the last error. */
    public Map<String, String> givenUp(Collection<String> taskIds) {
        return taskIds.isEmpty() ? Map.of() : store.read(transaction -> OutboxTable.givenUp(transaction, taskIds));
    }

    public void done(Due due) {
        store.write(transaction -> OutboxTable.end(transaction, due, null, null, transaction.now()));
    }

    /** @param again after how long; null: it is given up */
    public void failed(Due due, String error, @Nullable Duration again) {
        String plain = UNWRITABLE.matcher(error).replaceAll("?");
        String kept = plain.length() <= LONGEST_ERROR ? plain : plain.substring(0, LONGEST_ERROR) + "…";
        store.write(transaction -> OutboxTable.end(
                transaction, due, again == null ? null : transaction.now() + again.toNanos() / 1_000, kept, null));
    }
}
