package dev.holdfast.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lets whoever goes through many rows pass over those that cannot be dealt with: a row that the database refuses to
 * change, or that cannot be read, must not stop the others. Each is logged once, and retried at every turn.
 */
public final class BadRows {
    /** So many are remembered; more than that are a matter of the whole table, and may be logged again. */
    private static final int MOST = 1_000;

    private final Logger log;
    private final String doing;
    private final Set<String> rows = ConcurrentHashMap.newKeySet();

    /** @param doing what is done with the rows, as in "cannot take back work:7" */
    public BadRows(Logger log, String doing) {
        this.log = log;
        this.doing = doing;
    }

    /**
     * All at once if that can be; otherwise, because of a bad row among them, some other way.
     *
     * @throws BusyException the store is away: that is no row's fault
     */
    public static <T> T either(Supplier<T> atOnce, Supplier<T> oneByOne) {
        try {
            return atOnce.get();
        } catch (BusyException e) {
            throw e;
        } catch (RuntimeException _) {
            return oneByOne.get(); // and that finds out which row it was, and says so
        }
    }

    /**
     * True when it was done; false when it was not to be done, or could not be.
     *
     * @throws BusyException the store is away: that is no row's fault
     */
    public boolean attempt(String row, BooleanSupplier action) {
        return Boolean.TRUE.equals(attempt(row, () -> action.getAsBoolean() ? Boolean.TRUE : null, null));
    }

    /** What came of it; if it could not be done, this instead. */
    public <T extends @Nullable Object> T attempt(String row, Supplier<T> action, T otherwise) {
        try {
            T result = action.get();
            rows.remove(row);
            return result;
        } catch (BusyException e) {
            throw e;
        } catch (RuntimeException e) {
            if (rows.size() >= MOST) {
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

    /** How many are known to be bad; whoever asks for a number of rows asks for so many more, to get past them. */
    public int count() {
        return rows.size();
    }
}
