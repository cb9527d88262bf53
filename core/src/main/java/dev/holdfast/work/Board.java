package dev.holdfast.work;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The backlog as people look at it: by state, with the number of items. Never reads items that were closed long ago.
 */
public final class Board {
    /** Implied by the join, but this direction lets the database start from the few rows in that state. */
    static final String FROM_THE_CLAIM = " AND i.id = substr(r.key, 6)";

    private static final String READY =
            " WHERE r.kind = 'work' AND r.state = 'ready' AND NOT r.kept AND r.not_before IS NULL" + FROM_THE_CLAIM;
    private static final String HELD = " WHERE r.kind = 'work' AND r.state = 'held'" + FROM_THE_CLAIM;
    private static final String UNHELD = " WHERE r.kind = 'work' AND r.state = 'ready' AND r.kept" + FROM_THE_CLAIM;
    private static final String BLOCKED = " WHERE r.kind = 'work' AND r.state = 'blocked'" + FROM_THE_CLAIM;
    private static final String DEFERRED =
            " WHERE r.kind = 'work' AND r.state = 'ready' AND r.not_before IS NOT NULL" + FROM_THE_CLAIM;
    private static final String CLOSED = " WHERE i.closed_at >= :since";
    private static final String URGENT_FIRST = " ORDER BY r.priority, r.seq LIMIT :max";

    private static final Sql COUNT_CLOSED =
            Sql.of("SELECT count(*) AS items FROM work_items i WHERE i.closed_at >= :since");

    private static final Sql EPICS = Sql.of("""
            SELECT i.id, i.title FROM work_items i WHERE i.type = 'epic' AND i.status <> 'closed'
            ORDER BY i.priority, i.id LIMIT :max
            """);

    /** Reads only the latest items, so the cost does not grow with the backlog. */
    private static final Sql QUEUES = Sql.of("""
            SELECT queue, max(seq) AS latest
            FROM (SELECT queue, seq FROM work_items WHERE status <> 'closed' ORDER BY seq DESC LIMIT 500) latest_items
            WHERE queue <> '' GROUP BY queue ORDER BY latest DESC
            """);

    /** The states of items on the board. */
    public enum Lane {
        READY(Board.READY, URGENT_FIRST),
        HELD(Board.HELD, " ORDER BY r.expires_at, r.seq LIMIT :max"),
        /** Started, then released with its status kept. */
        UNHELD(Board.UNHELD, URGENT_FIRST),
        BLOCKED(Board.BLOCKED, URGENT_FIRST),
        DEFERRED(Board.DEFERRED, " ORDER BY r.not_before LIMIT :max"),
        CLOSED(Board.CLOSED, " ORDER BY i.closed_at DESC LIMIT :max");

        private final Sql list;
        private final Sql count;

        Lane(String where, String order) {
            list = Sql.of(ItemTable.LISTED + where + order);
            count = where.equals(Board.CLOSED) ? COUNT_CLOSED : Sql.of(ItemTable.COUNT + where);
        }
    }

    /** @param total the number of all items in this state */
    public record LaneItems(List<WorkItem> items, long total) {}

    /** An open item that other items are part of. */
    public record Epic(String id, String title) {}

    private final Store store;

    Board(Store store) {
        this.store = store;
    }

    /**
     * The first items in a lane.
     *
     * @param day how far back closed items count
     */
    public LaneItems lane(Lane lane, Duration day, int max) {
        return store.read(transaction -> {
            long now = transaction.now();
            long since = now - day.toNanos() / 1_000;
            List<WorkItem> found = transaction.list(
                    lane.list,
                    p -> {
                        p.time("now", now).number("max", max);
                        if (lane == Lane.CLOSED) {
                            p.time("since", since);
                        }
                    },
                    row -> ItemTable.item(row, List.of()));
            long total = transaction
                    .first(
                            lane.count,
                            p -> {
                                if (lane == Lane.CLOSED) {
                                    p.time("since", since);
                                }
                            },
                            row -> row.number("items"))
                    .orElse(0L);
            return new LaneItems(lane == Lane.BLOCKED ? withDependencies(transaction, found) : found, total);
        });
    }

    /** Most urgent first. */
    public List<Epic> epics(int max) {
        return store.read(transaction ->
                transaction.list(EPICS, p -> p.number("max", max), row -> new Epic(row.text("id"), row.text("title"))));
    }

    /** The queues of the latest open items, most recently used first. */
    public List<String> queues() {
        return store.read(transaction -> transaction.list(QUEUES, _ -> {}, row -> row.text("queue")));
    }

    /** Those of these items that exist, by id. */
    public Map<String, WorkItem> items(Iterable<String> ids) {
        return store.read(transaction -> {
            Map<String, WorkItem> found = new HashMap<>();
            for (String id : ids) {
                ItemTable.show(transaction, id).ifPresent(item -> found.put(id, item));
            }
            return found;
        });
    }

    private static List<WorkItem> withDependencies(Transaction transaction, List<WorkItem> found) throws SQLException {
        List<WorkItem> complete = new ArrayList<>();
        for (WorkItem item : found) {
            complete.add(item.with(DependencyTable.of(transaction, item.id())));
        }
        return complete;
    }
}
