package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples of the queue depths, one per minute, for charts. If several brokers sample the same minute, the first one
 * counts.
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
    public record Sample(Instant at, String kind, long ready, long held, long oldestSeconds) {
        Sample plus(Sample other) {
            return new Sample(
                    at, kind, ready + other.ready, held + other.held, Math.max(oldestSeconds, other.oldestSeconds));
        }
    }

    private final Store store;

    public QueueSamples(Store store) {
        this.store = store;
    }

    /** Records a sample and drops those past retention. */
    public void note(List<Holdings.Depth> depths) {
        List<Sample> samples = of(depths, Instant.EPOCH);
        store.write(transaction -> {
            long minute = transaction.now() / 1_000_000 / MINUTE;
            for (Sample sample : samples) {
                transaction.change(
                        NOTE,
                        p -> p.number("minute", minute)
                                .text("kind", sample.kind())
                                .number("ready", sample.ready())
                                .number("held", sample.held())
                                .number("oldest", sample.oldestSeconds()));
            }
            transaction.change(DROP, p -> p.number("before", minute - KEPT_MINUTES));
            return true;
        });
    }

    /** What a sample taken now would contain: one entry per queued kind, even if there is nothing of it. */
    public static List<Sample> of(List<Holdings.Depth> depths, Instant at) {
        Map<String, Sample> byKind = new TreeMap<>();
        for (Kind kind : List.of(Kind.WORK, Kind.REVIEW, Kind.STEP)) {
            byKind.put(kind.toString(), new Sample(at, kind.toString(), 0, 0, 0));
        }
        for (Holdings.Depth depth : depths) {
            boolean ready = depth.state().equals("ready");
            Sample one = new Sample(
                    at,
                    depth.kind(),
                    ready ? depth.depth() : 0,
                    ready ? 0 : depth.depth(),
                    ready ? depth.oldest().toSeconds() : 0);
            byKind.merge(depth.kind(), one, Sample::plus);
        }
        return List.copyOf(byKind.values());
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
