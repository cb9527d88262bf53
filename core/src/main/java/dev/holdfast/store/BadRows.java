package dev.holdfast.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lets a loop over many rows skip those it cannot process: a row that the database refuses to change, or that cannot be
 * read, must not stop the others. Each bad row is logged once and retried every time.
 */
public final class BadRows {
    /** How many are remembered; if there are more, the whole table has a problem, and rows may be logged again. */
    private static final int MAX = 1_000;

    private final Logger log;
    private final String doing;
    private final Set<String> rows = ConcurrentHashMap.newKeySet();

    /** @param doing what is done with the rows, as in "cannot take back work:7" */
    public BadRows(Logger log, String doing) {
        this.log = log;
        this.doing = doing;
    }

    /**
     * Processes all rows at once or, if a bad row makes that fail, one by one.
     *
     * @throws BusyException the store is unavailable, which is no row's fault
     */
    public static <T> T either(Supplier<T> atOnce, Supplier<T> oneByOne) {
        try {
            return atOnce.get();
        } catch (BusyException e) {
            throw e;
        } catch (RuntimeException _) {
            return oneByOne.get(); // finds and logs the bad row
        }
    }

    /**
     * Returns true if it was done; false if there was nothing to do, or it failed.
     *
     * @throws BusyException the store is unavailable, which is no row's fault
     */
    public boolean attempt(String row, BooleanSupplier action) {
        return Boolean.TRUE.equals(attempt(row, () -> action.getAsBoolean() ? Boolean.TRUE : null, null));
    }

    /** Returns the action's result, or the given value if it failed. */
    public <T extends @Nullable Object> T attempt(String row, Supplier<T> action, T otherwise) {
        try {
            T result = action.get();
            rows.remove(row);
            return result;
        } catch (BusyException e) {
            throw e;
        } catch (RuntimeException e) {
            if (rows.size() >= MAX) {
                rows.clear();
            }
            if (rows.add(row)) {
                log.error(
                        "cannot {} {}; continuing with the others. It will be retried, and is logged only once: {}",
                        doing,
                        row,
                        e.getMessage(),
                        e);
            }
            return otherwise;
        }
    }

    /** How many rows are known to be bad. A query with a limit should ask for this many more, to get past them. */
    public int count() {
        return rows.size();
    }
}
