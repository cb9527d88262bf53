package dev.holdfast.work;

import dev.holdfast.claim.Filter;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the backlog, never locking. */
public final class Backlog {
    private final Store store;

    Backlog(Store store) {
        this.store = store;
    }

    /** Which items are wanted; null: any. */
    public record ItemFilter(
            @Nullable WorkStatus status,
            Filter filter,
            @Nullable String holder,
            @Nullable String assignee,
            @Nullable String parent) {
        public static ItemFilter any() {
            return new ItemFilter(null, Filter.ANY, null, null, null);
        }
    }

    /**
     * Part of a list.
     *
     * @param next the cursor of the next part; null if this is the last
     */
    public record Page(List<WorkItem> items, @Nullable String next) {}

    public Optional<WorkItem> find(String id) {
        return WorkLimits.couldBe(id) ? store.read(transaction -> ItemTable.show(transaction, id)) : Optional.empty();
    }

    /** All held items, by id. */
    public Map<String, WorkItem> held() {
        return all(" WHERE r.kind = 'work' AND r.state = 'held'" + Board.FROM_THE_CLAIM, null, Integer.MAX_VALUE)
                .stream()
                .collect(Collectors.toMap(WorkItem::id, item -> item));
    }

    /** Items in progress that nobody holds, because they were released with their status kept. Most urgent first. */
    public List<WorkItem> unheld(@Nullable String queue) {
        return unheld(queue, Integer.MAX_VALUE);
    }

    /** As above, at most this many. */
    public List<WorkItem> unheld(@Nullable String queue, int max) {
        return all(
                " WHERE r.kind = 'work' AND r.state = 'ready' AND r.kept" + Board.FROM_THE_CLAIM,
                queue == null ? null : WorkLimits.queue(queue),
                max);
    }

    private List<WorkItem> all(String where, @Nullable String queue, int max) {
        return store.read(transaction -> Numbered.items(find(
                transaction,
                queue == null ? where : where + " AND r.queue = :queue",
                " ORDER BY r.priority, r.seq LIMIT :max",
                new ItemFilter(null, new Filter(queue, Set.of()), null, null, null),
                max,
                _ -> {})));
    }

    /** Oldest first. */
    public Page list(ItemFilter wanted, int limit, @Nullable String cursor) {
        return list(wanted, false, limit, cursor);
    }

    /** @param open leaves out closed items */
    public Page list(ItemFilter wanted, boolean open, int limit, @Nullable String cursor) {
        long after = cursor == null ? 0 : number(cursor);
        StringBuilder where = new StringBuilder(" WHERE i.seq > :after");
        boolean notClosed = open || (wanted.status() != null && wanted.status() != WorkStatus.CLOSED);
        add(where, notClosed, " AND i.status <> 'closed'"); // implied, but can use an index
        add(where, wanted.status() != null, " AND " + ItemTable.SHOWN_STATUS + " = :status");
        add(where, wanted.filter().queue() != null, " AND i.queue = :queue");
        add(where, wanted.holder() != null, " AND r.state = 'held' AND r.holder = :holder");
        add(where, wanted.assignee() != null, " AND i.assignee = :assignee");
        add(
                where,
                wanted.parent() != null,
                " AND i.id IN (SELECT d.item FROM work_dependencies d WHERE d.type = 'parent-child'"
                        + " AND d.depends_on = :parent)");
        return page(
                where.toString(),
                " ORDER BY i.seq LIMIT :max",
                wanted,
                limit,
                p -> p.number("after", after),
                last -> Long.toString(last.seq));
    }

    /** What can be claimed now, in the order in which it is handed out: most urgent first, then oldest. */
    public Page ready(Filter filter, int limit, @Nullable String cursor) {
        long[] after = cursor == null ? new long[] {-1, 0} : pair(cursor);
        StringBuilder where = new StringBuilder(" WHERE r.kind = 'work' AND r.state = 'ready' AND NOT r.kept"
                + " AND r.not_before IS NULL AND (r.priority > :priority OR r.priority = :priority AND r.seq > :after)"
                + Board.FROM_THE_CLAIM);
        add(where, filter.queue() != null, " AND r.queue = :queue");
        return page(
                where.toString(),
                " ORDER BY r.priority, r.seq LIMIT :max",
                new ItemFilter(null, filter, null, null, null),
                limit,
                p -> p.number("priority", after[0]).number("after", after[1]),
                last -> last.item.priority() + "." + last.item.position());
    }

    /** What nobody may claim, with what it waits for. */
    public Page blocked(@Nullable String queue, int limit, @Nullable String cursor) {
        ItemFilter wanted =
                new ItemFilter(WorkStatus.BLOCKED, WorkClaims.filter(queue, Set.of(), null), null, null, null);
        return list(wanted, limit, cursor);
    }

    /** @param seq its position among all items ever created */
    private record Numbered(WorkItem item, long seq) {
        static List<WorkItem> items(List<Numbered> numbered) {
            return numbered.stream().map(Numbered::item).toList();
        }
    }

    /** @param cursor makes the cursor of the next page from the last item of this one */
    private Page page(
            String where,
            String order,
            ItemFilter wanted,
            int limit,
            Transaction.Binder position,
            Function<Numbered, String> cursor) {
        return store.read(transaction -> {
            List<Numbered> found = find(transaction, where, order, wanted, limit + 1, position);
            return found.size() <= limit
                    ? new Page(Numbered.items(found), null)
                    : new Page(Numbered.items(found.subList(0, limit)), cursor.apply(found.get(limit - 1)));
        });
    }

    private static List<Numbered> find(
            Transaction transaction,
            String where,
            String order,
            ItemFilter wanted,
            int max,
            Transaction.Binder position)
            throws SQLException {
        Filter filter = wanted.filter();
        String labels = filter.labels().isEmpty() ? "" : Filter.carriesLabels(transaction.engine());
        long now = transaction.now();
        List<Numbered> found = transaction.list(
                Sql.composed(ItemTable.LISTED + where + labels + order),
                p -> {
                    position.bind(p);
                    p.time("now", now).number("max", max);
                    if (wanted.status() != null) {
                        p.text("status", wanted.status().toString());
                    }
                    if (filter.queue() != null) {
                        p.text("queue", filter.queue());
                    }
                    if (!filter.labels().isEmpty()) {
                        p.text("labels", filter.labelsAsJson());
                    }
                    if (wanted.holder() != null) {
                        p.text("holder", wanted.holder());
                    }
                    if (wanted.assignee() != null) {
                        p.text("assignee", wanted.assignee());
                    }
                    if (wanted.parent() != null) {
                        p.text("parent", wanted.parent());
                    }
                },
                row -> new Numbered(ItemTable.item(row, List.of()), row.number("seq")));
        List<Numbered> complete = new ArrayList<>();
        for (Numbered one : found) {
            WorkItem item = one.item;
            complete.add(
                    item.status() == WorkStatus.BLOCKED
                            ? new Numbered(item.with(DependencyTable.of(transaction, item.id())), one.seq)
                            : one);
        }
        return complete;
    }

    private static void add(StringBuilder where, boolean wanted, String condition) {
        if (wanted) {
            where.append(condition);
        }
    }

    private static long number(String cursor) {
        return pair(cursor)[1];
    }

    private static long[] pair(String cursor) {
        String[] parts = cursor.split("\\.", -1);
        try {
            return new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[parts.length - 1])};
        } catch (NumberFormatException _) {
            throw new InvalidException("cursor is not from this list");
        }
    }
}
