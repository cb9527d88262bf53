package dev.holdfast.claim;

import dev.holdfast.store.LruMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When claim-next last granted each holder something. That grant made sure that the holder had no older unconfirmed
 * one, so the next claim-next need only look at the grants since. Otherwise it would read every grant the holder ever
 * had, for as long as some old snapshot keeps PostgreSQL from clearing them away.
 */
final class LatestGrants {
    private static final int MAX = 10_000;

    /** More than the time between reading the clock and committing, so that concurrent grants are not left out. */
    private static final long MARGIN_MICROS = 50_000;

    private final Map<Scope, Long> latest = new LruMap<>(MAX);

    /** What a claim-next looks at: its holder's grants of a kind, and of a queue if it names one. */
    private record Scope(String holder, Kind kind, @Nullable String queue) {
        static Scope of(NextRequest asked) {
            return new Scope(asked.holder(), asked.kind(), asked.filter().queue());
        }
    }

    /** From when on the holder may have unconfirmed grants, in microseconds; 0 if that is not known. */
    synchronized long since(NextRequest asked) {
        if (asked.requestId() != null) {
            return 0; // looks for the grant of an earlier call, however old
        }
        return latest.getOrDefault(Scope.of(asked), 0L);
    }

    /** @param at when, by the store's clock */
    synchronized void granted(NextRequest asked, long at) {
        if (asked.requestId() == null) {
            latest.put(Scope.of(asked), at - MARGIN_MICROS);
        }
    }

    /** After a failover: grants that had been confirmed may be unconfirmed again. */
    synchronized void clear() {
        latest.clear();
    }
}
