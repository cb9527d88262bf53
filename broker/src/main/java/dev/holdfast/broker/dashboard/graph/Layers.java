package dev.holdfast.broker.dashboard.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts every node one layer after the last of its predecessors. */
final class Layers {
    private final Map<String, Integer> layers = new LinkedHashMap<>();

    /** Nodes of a cycle, which should not occur, come last. */
    Layers(List<Node> nodes, Collection<Link> links) {
        Map<String, Integer> open = new HashMap<>();
        Map<String, List<String>> after = new HashMap<>();
        nodes.forEach(node -> open.put(node.id(), 0));
        for (Link link : links) {
            open.merge(link.to(), 1, Integer::sum);
            after.computeIfAbsent(link.from(), _ -> new ArrayList<>()).add(link.to());
        }
        Map<String, Integer> found = new HashMap<>();
        Deque<String> next = new ArrayDeque<>();
        nodes.stream().map(Node::id).filter(id -> open.getOrDefault(id, 0) == 0).forEach(next::add);
        while (!next.isEmpty()) {
            String one = next.remove();
            int layer = found.getOrDefault(one, 0);
            layers.put(one, layer);
            for (String then : after.getOrDefault(one, List.of())) {
                found.merge(then, layer + 1, Math::max);
                if (open.merge(then, -1, Integer::sum) == 0) {
                    next.add(then);
                }
            }
        }
        int last = count();
        nodes.forEach(node -> layers.putIfAbsent(node.id(), last));
    }

    int of(String id) {
        return layers.getOrDefault(id, 0);
    }

    int count() {
        return layers.values().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1;
    }

    /** The ids, each after all its predecessors. */
    List<String> order() {
        return List.copyOf(layers.keySet());
    }
}
