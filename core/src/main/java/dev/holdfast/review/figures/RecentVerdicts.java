package dev.holdfast.review.figures;

import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The verdicts of the last hours or days, for charts: when, what, and how long their proposers had waited. */
public final class RecentVerdicts {
    /** More than can be distinguished in a chart. */
    private static final int MAX = 20_000;

    private static final Sql SINCE = Sql.of("""
            SELECT d.at, d.verdict, x.created_at FROM verdicts d
                JOIN revisions x ON x.review_id = d.review_id AND x.round = d.round AND x.number = 1
            WHERE d.at >= :since AND d.verdict <> 'comment' ORDER BY d.at DESC LIMIT :max
            """);

    /** @param waited from the round's proposal to the verdict */
    public record Given(Instant at, boolean approved, Duration waited) {}

    private final Store store;

    public RecentVerdicts(Store store) {
        this.store = store;
    }

    /** Newest first; if there are too many, only the newest. */
    public List<Given> since(Instant from) {
        long micros = LeaseClock.micros(from);
        return store.read(transaction -> transaction.list(
                SINCE,
                p -> p.time("since", micros).number("max", MAX),
                row -> new Given(
                        ReviewTable.instant(row.time("at")),
                        row.text("verdict").equals("approved"),
                        Duration.of(Math.max(0, row.time("at") - row.time("created_at")), ChronoUnit.MICROS))));
    }
}
