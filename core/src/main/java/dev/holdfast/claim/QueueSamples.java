package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much waited, noted minute by minute, so that it can be drawn. Several brokers may note the same minute: the first
 * one counts.
 */
public final class QueueSamples {
    private static final long MINUTE = 60;
    private static final long KEPT_MINUTES = 8 * 24 * 60;

    private static final Sql NOTE = Sql.of("""
            INSERT INTO queue_samples (minute, kind, ready, held, oldest_seconds)
            VALUES (:minute, :kind, :ready, :held, :oldest)
            ON CONFLICT (minute, kind) DO NOTHING
            """);

    private static final Sql DROP = Sql.of("DELETE FROM queue_samples WHERE minute < :before");

    private static final Sql SINCE = Sql.of("""
            SELECT minute, kind, ready, held, oldest_seconds FROM queue_samples WHERE minute >= :since ORDER BY minute
            """);

    /** How many of a kind were ready and held in a minute, and how long the oldest ready one had waited. */
    public record Sample(Instant at, String kind, long ready, long held, long oldestSeconds) {}

    private final Store store;

    public QueueSamples(Store store) {
        this.store = store;
    }

    /** Notes how it is now, and forgets what nobody looks at any more. */
    public void note(List<Holdings.Depth> depths) {
        Map<String, long[]> byKind = new TreeMap<>();
        for (Holdings.Depth depth : depths) {
            long[] numbers = byKind.computeIfAbsent(depth.kind(), _ -> new long[3]);
            if (depth.state().equals("ready")) {
                numbers[0] = depth.depth();
                numbers[2] = depth.oldest().toSeconds();
            } else {
                numbers[1] = depth.depth();
            }
        }
        store.write(transaction -> {
            long minute = transaction.now() / 1_000_000 / MINUTE;
            for (Map.Entry<String, long[]> entry : byKind.entrySet()) {
                transaction.change(
                        NOTE,
                        p -> p.number("minute", minute)
                                .text("kind", entry.getKey())
                                .number("ready", entry.getValue()[0])
                                .number("held", entry.getValue()[1])
                                .number("oldest", entry.getValue()[2]));
            }
            transaction.change(DROP, p -> p.number("before", minute - KEPT_MINUTES));
            return true;
        });
    }

    /** Oldest first. */
    public List<Sample> since(Instant from) {
        return store.read(transaction -> transaction.list(
                SINCE,
                p -> p.number("since", from.getEpochSecond() / MINUTE),
                row -> new Sample(
                        Instant.ofEpochSecond(row.number("minute") * MINUTE),
                        row.text("kind"),
                        row.number("ready"),
                        row.number("held"),
                        row.number("oldest_seconds"))));
    }
}
