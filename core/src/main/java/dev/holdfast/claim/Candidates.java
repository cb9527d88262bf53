package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The queries behind claim-next, best first: grants that this holder has been given but not confirmed, what is ready,
 * and what has expired. Without a queue, the heads of all queues are compared; a loose index scan finds them queue by
 * queue, so the cost does not grow with the number of ready or done resources.
 */
final class Candidates {
    /** After ANALYZE, SQLite would otherwise scan the whole table instead of this index. */
    private static final String RESOURCES = "resources r /* INDEXED BY resources_ready */";

    private static final String READY = "r.state = 'ready' AND NOT r.kept AND r.not_before IS NULL AND r.kind = :kind";

    private static final String BEST_OF_QUEUE = "SELECT r.key, r.queue, r.priority, r.seq, r.labels FROM " + RESOURCES
            + " WHERE " + READY + " AND r.queue = :queue{labels} ORDER BY r.priority, r.seq LIMIT :max";

    private Candidates() {}

    /** The grant that this same request, or an unconfirmed earlier one, already received. */
    static Optional<ResourceRow> own(Transaction transaction, NextRequest asked, long now) throws SQLException {
        // a repeated request gets its grant again however late: until somebody else takes it, it is still the holder's
        String mine =
                asked.requestId() == null ? "NOT r.confirmed AND r.expires_at > :now" : "r.request_id = :request_id";
        return transaction.first(
                Sql.composed("""
                        SELECT * FROM resources r
                        WHERE r.state = 'held' AND r.holder = :holder AND r.kind = :kind AND r.outer_key IS NULL AND\s"""
                        + mine
                        + (asked.filter().queue() == null ? "" : " AND r.queue = :queue")
                        + " ORDER BY r.priority, r.seq LIMIT 1 FOR UPDATE"),
                p -> {
                    p.text("holder", asked.holder()).text("kind", asked.kind().toString());
                    if (asked.requestId() == null) {
                        p.time("now", now);
                    } else {
                        p.text("request_id", asked.requestId());
                    }
                    if (asked.filter().queue() != null) {
                        p.text("queue", asked.filter().queue());
                    }
                },
                ResourceTable::read);
    }

    /** The best ready and due resources, at most this many, not locked. */
    static List<Item> ready(Transaction transaction, Kind kind, Filter filter, int max) throws SQLException {
        String labels = labelsMatch(transaction.engine(), filter);
        if (filter.queue() != null) {
            return list(transaction, BEST_OF_QUEUE.replace("{labels}", labels), kind, filter, max);
        }
        if (max == 1) {
            return list(transaction, heads(labels) + " LIMIT 1", kind, filter, max);
        }
        return switch (transaction.engine()) {
            case POSTGRES -> list(transaction, bestOfEachQueue(labels), kind, filter, max);
            case SQLITE -> bestOfEachQueue(transaction, kind, filter, max);
        };
    }

    private static List<Item> list(Transaction transaction, String sql, Kind kind, Filter filter, int max)
            throws SQLException {
        return transaction.list(
                Sql.composed(sql),
                p -> {
                    bind(p, kind, filter);
                    if (sql.contains(":max")) {
                        p.number("max", max);
                    }
                },
                row -> item(row, kind));
    }

    /** SQLite has no lateral joins, so each queue is queried separately. */
    private static List<Item> bestOfEachQueue(Transaction transaction, Kind kind, Filter filter, int max)
            throws SQLException {
        List<Item> best = new ArrayList<>();
        for (String queue : queues(transaction, kind, filter.labels())) {
            best.addAll(ready(transaction, kind, new Filter(queue, filter.labels(), filter.except()), max));
        }
        best.sort(null);
        return best.subList(0, Math.min(max, best.size()));
    }

    /** The queues with something ready that has these labels, the queue with the best item first. */
    static List<String> queues(Transaction transaction, Kind kind, Set<String> labels) throws SQLException {
        Filter filter = new Filter(null, labels);
        return transaction.list(
                Sql.composed(heads(labelsMatch(transaction.engine(), filter))),
                p -> bind(p, kind, filter),
                row -> row.text("queue"));
    }

    private static Item item(Row row, Kind kind) throws SQLException {
        return new Item(
                row.text("key"),
                kind,
                row.text("queue"),
                (int) row.number("priority"),
                row.number("seq"),
                ResourceTable.labels(row.text("labels")));
    }

    private static final String QUEUES = "WITH RECURSIVE queues (queue) AS ("
            + "SELECT min(r.queue) FROM " + RESOURCES + " WHERE " + READY
            + " UNION ALL SELECT (SELECT min(r.queue) FROM " + RESOURCES + " WHERE " + READY
            + " AND r.queue > q.queue) FROM queues q WHERE q.queue IS NOT NULL)";

    /** PostgreSQL only: no index is ordered by priority across queues, so each queue contributes its own best. */
    private static String bestOfEachQueue(String labels) {
        return QUEUES + " SELECT b.* FROM queues q CROSS JOIN LATERAL ("
                + "SELECT r.key, r.queue, r.priority, r.seq, r.labels FROM " + RESOURCES + " WHERE " + READY
                + " AND r.queue = q.queue" + labels + " ORDER BY r.priority, r.seq LIMIT :max) b"
                + " ORDER BY b.priority, b.seq LIMIT :max";
    }

    private static String heads(String labels) {
        return QUEUES + ", "
                + "heads (key) AS (SELECT (SELECT r.key FROM " + RESOURCES + " WHERE " + READY
                + " AND r.queue = q.queue"
                + labels
                + " ORDER BY r.priority, r.seq LIMIT 1) FROM queues q WHERE q.queue IS NOT NULL) "
                + "SELECT r.key, r.queue, r.priority, r.seq, r.labels FROM heads h JOIN resources r ON r.key = h.key ORDER BY r.priority, r.seq";
    }

    /** The best one whose lease has expired. */
    static Optional<ResourceRow> expired(Transaction transaction, Kind kind, Filter filter, long now)
            throws SQLException {
        String sql =
                "SELECT * FROM resources r WHERE r.state = 'held' AND NOT r.kept AND r.kind = :kind AND r.expires_at <= :now"
                        + (filter.queue() == null ? "" : " AND r.queue = :queue")
                        + labelsMatch(transaction.engine(), filter)
                        + " ORDER BY r.priority, r.seq LIMIT 1 FOR UPDATE SKIP LOCKED";
        return transaction.first(
                Sql.composed(sql),
                p -> {
                    bind(p, kind, filter);
                    p.time("now", now);
                },
                ResourceTable::read);
    }

    private static String labelsMatch(Engine engine, Filter filter) {
        return (filter.labels().isEmpty() ? "" : Filter.carriesLabels(engine))
                + (filter.except().isEmpty() ? "" : Filter.carriesNone(engine));
    }

    private static void bind(Parameters p, Kind kind, Filter filter) throws SQLException {
        p.text("kind", kind.toString());
        if (filter.queue() != null) {
            p.text("queue", filter.queue());
        }
        if (!filter.labels().isEmpty()) {
            p.text("labels", filter.labelsAsJson());
        }
        if (!filter.except().isEmpty()) {
            p.text("except", filter.exceptAsJson());
        }
    }
}
