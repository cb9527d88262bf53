package dev.holdfast.work.beads;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import dev.holdfast.work.DependencyTable;
import dev.holdfast.work.ItemTable;
import dev.holdfast.work.WorkItem;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The backlog as lines of JSON that beads reads: items in id order, then any other lines that an import brought. */
public final class BeadsExport {
    private static final String OTHER_LINES = "+";
    /** So many items are read together: each may have megabytes. */
    private static final int AT_ONCE = 20;

    private static final Sql ITEMS =
            Sql.of(ItemTable.VIEW + " WHERE i.id > :after AND (CAST(:queue AS text) IS NULL OR i.queue = :queue)"
                    + " ORDER BY i.id LIMIT :max");

    private static final Sql LINES =
            Sql.of("SELECT key, line FROM beads_lines WHERE key > :after ORDER BY key LIMIT :max");

    /** @param next the cursor of the next part; null if this is the last */
    public record Part(List<String> lines, @Nullable String next) {}

    private final Store store;

    BeadsExport(Store store) {
        this.store = store;
    }

    /**
     * @param queue only items of this queue; null: all
     * @param characters the approximate maximum, but at least one line
     * @param sees which items exist for the caller, who then gets no other lines, since they belong to no queue; null:
     *     all
     */
    public Part part(
            @Nullable String queue,
            int max,
            int characters,
            @Nullable String cursor,
            @Nullable Predicate<String> sees) {
        if (cursor != null && cursor.startsWith(OTHER_LINES)) {
            return sees != null
                    ? new Part(List.of(), null)
                    : others(cursor.substring(OTHER_LINES.length()), max, characters);
        }
        return store.read(transaction -> {
            List<String> lines = new ArrayList<>();
            String last = cursor == null ? "" : cursor;
            int size = 0;
            while (lines.size() < max) {
                int wanted = Math.min(AT_ONCE, max - lines.size());
                List<Exported> items = items(transaction, queue, last, wanted);
                for (Exported one : items) {
                    WorkItem item = one.item.with(DependencyTable.of(transaction, one.item.id()));
                    String line = BeadsFormat.write(sees == null ? item : item.seenBy(sees), one.source);
                    size += line.length() + 1;
                    if (size > characters && !lines.isEmpty()) {
                        return new Part(lines, last);
                    }
                    lines.add(line);
                    last = item.id();
                }
                if (items.size() < wanted) {
                    return new Part(lines, sees == null ? OTHER_LINES : null);
                }
            }
            return new Part(lines, last);
        });
    }

    /** @param source the line that it was imported from; null: it was not imported */
    private record Exported(WorkItem item, @Nullable String source) {}

    private static List<Exported> items(Transaction transaction, @Nullable String queue, String after, int max)
            throws SQLException {
        long now = transaction.now();
        return transaction.list(
                ITEMS,
                p -> p.text("after", after)
                        .text("queue", queue)
                        .number("max", max)
                        .time("now", now),
                row -> new Exported(ItemTable.item(row, List.of()), row.textOrNull("source")));
    }

    private Part others(String after, int max, int characters) {
        return store.read(transaction -> {
            List<String> lines = new ArrayList<>();
            List<String> keys = new ArrayList<>();
            int[] size = {0};
            transaction.list(LINES, p -> p.text("after", after).number("max", max), row -> {
                String line = row.text("line");
                size[0] += line.length() + 1;
                if (size[0] <= characters || lines.isEmpty()) {
                    lines.add(line);
                    keys.add(row.text("key"));
                }
                return line;
            });
            boolean more = lines.size() == max || size[0] > characters;
            return new Part(lines, more && !keys.isEmpty() ? OTHER_LINES + keys.getLast() : null);
        });
    }
}
