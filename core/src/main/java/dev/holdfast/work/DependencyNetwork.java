package dev.holdfast.work;

import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Everything that has to be done before an item: what it waits for, its parts, what those wait for, and so on. */
public final class DependencyNetwork {
    private final Store store;

    DependencyNetwork(Store store) {
        this.store = store;
    }

    /** One item comes before another. */
    public record Edge(String first, String then) {}

    /** @param whole false if there was more than could be read; the farthest items are left out */
    public record Before(Map<String, WorkItem> items, List<Edge> edges, boolean whole) {}

    /** Everything that comes before this item, the item included; at most this many items, nearest first. */
    public Before before(String id, int max) {
        return store.read(transaction -> {
            Map<String, WorkItem> items = new HashMap<>();
            Set<Edge> edges = new HashSet<>();
            Deque<String> next = new ArrayDeque<>(List.of(id));
            Set<String> seen = new HashSet<>(next);
            while (!next.isEmpty() && items.size() < max) {
                String one = next.remove();
                Optional<WorkItem> item = ItemTable.show(transaction, one);
                if (item.isEmpty()) {
                    continue;
                }
                items.put(one, item.get());
                for (Edge edge : into(transaction, item.get())) {
                    edges.add(edge);
                    if (seen.add(edge.first())) {
                        next.add(edge.first());
                    }
                }
            }
            List<Edge> known = edges.stream()
                    .filter(edge -> items.containsKey(edge.first()) && items.containsKey(edge.then()))
                    .toList();
            return new Before(items, known, next.isEmpty());
        });
    }

    /** A part comes before the whole. */
    private static List<Edge> into(Transaction transaction, WorkItem item) throws SQLException {
        List<Edge> edges = new ArrayList<>();
        for (Dependency dependency : item.dependencies()) {
            if (Dependency.orders(dependency.type()) && !dependency.type().equals(Dependency.PARENT_CHILD)) {
                edges.add(new Edge(dependency.dependsOn(), item.id()));
            }
        }
        for (Dependency part : DependencyTable.on(transaction, item.id())) {
            if (part.type().equals(Dependency.PARENT_CHILD)) {
                edges.add(new Edge(part.item(), item.id()));
            }
        }
        return edges;
    }

    /** The items that wait for this one directly. */
    public List<String> after(String id) {
        return store.read(transaction -> DependencyTable.on(transaction, id).stream()
                .filter(dependency -> !dependency.type().equals(Dependency.PARENT_CHILD))
                .map(Dependency::item)
                .distinct()
                .toList());
    }
}
