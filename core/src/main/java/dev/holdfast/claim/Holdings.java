package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who holds what, and how much is waiting; reads without locking. */
public final class Holdings {
    private static final String HELD = """
            SELECT r.*, o.expires_at AS outer_expires_at FROM resources r
            """ + ClaimSql.joinOuter("r", "o") + """
            WHERE r.state = 'held' AND (r.outer_key IS NULL OR o.key IS NOT NULL)
                AND (CAST(:kind AS text) IS NULL OR r.kind = :kind)
                AND (CAST(:queue AS text) IS NULL OR r.queue = :queue)
            """;

    private static final Sql ALL = Sql.of(HELD + " ORDER BY r.acquired_at, r.key");
    private static final Sql BY_HOLDER = Sql.of(HELD + " AND r.holder = :holder ORDER BY r.acquired_at, r.key");

    private static final Sql READY_DEPTHS = Sql.of("""
            SELECT kind, 'ready' AS state, count(*) AS depth, min(ready_since) AS since FROM resources
            WHERE state = 'ready' AND NOT kept AND not_before IS NULL GROUP BY kind
            """);

    private static final Sql HELD_DEPTHS = Sql.of("""
            SELECT kind, 'held' AS state, count(*) AS depth, min(acquired_at) AS since FROM resources
            WHERE state = 'held' GROUP BY kind
            """);

    private static final Sql BEGINNING =
            Sql.of("SELECT key FROM resources WHERE key >= :first AND key < :beyond ORDER BY key LIMIT :max");

    private static final Sql HOLDER =
            Sql.of("SELECT holder FROM resources WHERE key = :key AND state = 'held' AND holder IS NOT NULL");

    private static final Sql HOLDERS_BEGINNING = Sql.of("""
            SELECT DISTINCT holder FROM resources
            WHERE key >= :first AND key < :beyond AND state = 'held' AND holder IS NOT NULL
            """);

    private static final Sql QUEUE = Sql.of("SELECT queue FROM resources WHERE key = :key");

    /** The highest code point: every key with a given prefix sorts before the prefix followed by this. */
    private static final String BEYOND = Character.toString(Character.MAX_CODE_POINT);

    private static final Sql STANDINGS = Sql.of("""
            SELECT count(*) AS held, coalesce(sum(CASE WHEN expires_at <= :now THEN 1 ELSE 0 END), 0) AS expired
            FROM resources WHERE state = 'held' AND outer_key IS NULL AND kind <> 'broker'
            """);

    private static final Sql ANYTHING_HELD = Sql.of("""
            SELECT 1 AS found FROM resources WHERE state = 'held' AND outer_key IS NULL AND kind <> 'broker' LIMIT 1
            """);

    /** A soft claim is its outer claim's holder's. */
    private static final Sql HOLDERS = Sql.of("""
            SELECT count(DISTINCT holder) AS holders FROM resources
            WHERE state = 'held' AND outer_key IS NULL AND kind <> 'broker'
            """);

    private Holdings() {}

    /** How many resources of a kind are in a state, and how long the oldest has been. */
    public record Depth(String kind, String state, long depth, Duration oldest) {}

    /** Everything held now, soft claims included, oldest first. */
    public static List<Claim> list(
            Transaction transaction, @Nullable Kind kind, @Nullable String holder, @Nullable String queue)
            throws SQLException {
        return transaction.list(
                holder == null ? ALL : BY_HOLDER,
                p -> {
                    p.text("kind", kind == null ? null : kind.toString()).text("queue", queue);
                    if (holder != null) {
                        p.text("holder", holder);
                    }
                },
                row -> {
                    ResourceRow held = ResourceTable.read(row);
                    return held.claim(held.under == null ? held.expiresAt : row.timeOrNull("outer_expires_at"));
                });
    }

    /** In key order, so an exact match comes first. */
    static List<Resource> beginning(Transaction transaction, Resource with, int max) throws SQLException {
        return transaction.list(
                BEGINNING,
                p -> p.text("first", with.toString())
                        .text("beyond", with + BEYOND)
                        .number("max", max),
                row -> Resource.parse(row.text("key")));
    }

    static Optional<String> holder(Transaction transaction, Resource resource) throws SQLException {
        return transaction.first(HOLDER, p -> p.text("key", resource.toString()), row -> row.text("holder"));
    }

    static List<String> holdersBeginning(Transaction transaction, Resource with) throws SQLException {
        return transaction.list(
                HOLDERS_BEGINNING,
                p -> p.text("first", with.toString()).text("beyond", with + BEYOND),
                row -> row.text("holder"));
    }

    static Optional<String> queue(Transaction transaction, Resource resource) throws SQLException {
        return transaction.first(QUEUE, p -> p.text("key", resource.toString()), row -> row.text("queue"));
    }

    static boolean anythingHeld(Transaction transaction) throws SQLException {
        return transaction
                .first(ANYTHING_HELD, _ -> {}, row -> row.number("found"))
                .isPresent();
    }

    static long holders(Transaction transaction) throws SQLException {
        return transaction.first(HOLDERS, _ -> {}, row -> row.number("holders")).orElseThrow();
    }

    static LeaseCounts leaseCounts(Transaction transaction) throws SQLException {
        long now = transaction.now();
        return transaction
                .first(
                        STANDINGS,
                        p -> p.time("now", now),
                        row -> new LeaseCounts(row.number("held"), row.number("expired")))
                .orElseThrow();
    }

    static List<Depth> depths(Transaction transaction) throws SQLException {
        List<Depth> depths = new ArrayList<>();
        long now = transaction.now();
        for (Sql sql : List.of(READY_DEPTHS, HELD_DEPTHS)) {
            depths.addAll(transaction.list(
                    sql,
                    _ -> {},
                    row -> new Depth(
                            row.text("kind"),
                            row.text("state"),
                            row.number("depth"),
                            Duration.ofNanos(Math.max(0, now - row.time("since")) * 1_000))));
        }
        return depths;
    }
}
