package dev.holdfast.review.pool;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a pool's decisions are based on: what waits, which reviewers exist, and what was started, claimed and
 * lost.
 */
final class PoolSituations {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MAX_CRASHES = 20;

    private static final Sql PENDING = Sql.of("""
            SELECT r.queue, count(*) AS number, min(r.ready_since) AS since, min(v.project) AS project
            FROM""" + ClaimSql.offered(Kind.REVIEW, "r") + """
            JOIN reviews v ON v.id = r.id
            WHERE CAST(:not_ours AS text) IS NULL OR r.labels NOT LIKE :not_ours GROUP BY r.queue
            """);

    private static final Sql SPAWNS = Sql.of("SELECT count(*) AS number FROM reviewers WHERE spawned_at > :since");

    private static final Sql LAST_SPAWN = Sql.of("SELECT spawned_at FROM reviewers ORDER BY spawned_at DESC LIMIT 1");

    private static final Sql LATEST_ENDS = Sql.of("""
            SELECT terminated_at, last_output, reviews_completed FROM reviewers
            WHERE state = 'terminated' AND spawned_at > :since AND (reviews_completed > 0
                OR end_reason IN ('exited', 'hung', 'spawn_failed', 'never_claimed', 'claim_timeout'))
            ORDER BY terminated_at DESC LIMIT :max
            """);

    private PoolSituations() {}

    /** @param notOurs the pattern of reviews that these reviewers may not judge; null: they may judge all */
    static PoolSituation read(Transaction transaction, @Nullable String notOurs) throws SQLException {
        long now = transaction.now();
        long yesterday = now - DAY.toNanos() / 1_000;
        return new PoolSituation(
                LeaseClock.instant(now),
                transaction.list(
                        PENDING,
                        p -> p.text("not_ours", notOurs),
                        row -> new PoolSituation.Pending(
                                row.text("queue"),
                                row.textOrNull("project"),
                                null,
                                row.number("number"),
                                LeaseClock.instant(row.time("since")))),
                ReviewerTable.live(transaction),
                transaction
                        .first(SPAWNS, p -> p.time("since", yesterday), row -> row.number("number"))
                        .orElse(0L),
                HourlyClaims.inTheLastHour(transaction, now),
                transaction
                        .first(LAST_SPAWN, _ -> {}, row -> LeaseClock.instant(row.time("spawned_at")))
                        .orElse(null),
                crashes(transaction, yesterday));
    }

    private static PoolSituation.Crashes crashes(Transaction transaction, long since) throws SQLException {
        record End(long at, @Nullable String output, boolean good) {}
        List<End> ends = transaction.list(
                LATEST_ENDS,
                p -> p.time("since", since).number("max", MAX_CRASHES),
                row -> new End(
                        row.time("terminated_at"), row.textOrNull("last_output"), row.number("reviews_completed") > 0));
        List<End> crashed = ends.stream().takeWhile(end -> !end.good()).toList();
        return crashed.isEmpty()
                ? PoolSituation.Crashes.NONE
                : new PoolSituation.Crashes(
                        crashed.size(),
                        LeaseClock.instant(crashed.getFirst().at()),
                        crashed.getFirst().output());
    }
}
