package dev.holdfast.work.beads;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.work.DependencyTable;
import dev.holdfast.work.ItemTable;
import dev.holdfast.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The backlog as lines of JSON that beads reads: items in id order, then any other lines that an import brought. */
public final class BeadsExport {
    private static final String OTHER_LINES = "+";

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
            long now = transaction.now();
            List<WorkItem> items = new ArrayList<>();
            List<@Nullable String> sources = new ArrayList<>();
            transaction.list(
                    ITEMS,
                    p -> p.text("after", cursor == null ? "" : cursor)
                            .text("queue", queue)
                            .number("max", max)
                            .time("now", now),
                    row -> {
                        items.add(ItemTable.item(row, List.of()));
                        sources.add(row.textOrNull("source"));
                        return items.size();
                    });
            List<String> lines = new ArrayList<>();
            int size = 0;
            for (int i = 0; i < items.size(); i++) {
                WorkItem item = items.get(i)
                        .with(DependencyTable.of(transaction, items.get(i).id()));
                String line = BeadsFormat.write(sees == null ? item : item.seenBy(sees), sources.get(i));
                size += line.length() + 1;
                if (size > characters && !lines.isEmpty()) {
                    return new Part(lines, items.get(i - 1).id());
                }
                lines.add(line);
            }
            boolean more = items.size() == max;
            return new Part(lines, more ? items.getLast().id() : sees == null ? OTHER_LINES : null);
        });
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
