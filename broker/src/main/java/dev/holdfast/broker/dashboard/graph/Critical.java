package dev.holdfast.broker.dashboard.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The critical path: the longest chain of nodes that are not done, which the end waits for. */
public final class Critical {
    private final List<Node> chain;

    private Critical(List<Node> chain) {
        this.chain = List.copyOf(chain);
    }

    /** @param order every node after all its predecessors */
    static Critical of(List<Node> order, Collection<Link> links) {
        Map<String, List<String>> before = new HashMap<>();
        links.forEach(link ->
                before.computeIfAbsent(link.to(), _ -> new ArrayList<>()).add(link.from()));
        Map<String, Node> byId = new HashMap<>();
        order.forEach(node -> byId.put(node.id(), node));
        Map<String, Integer> length = new HashMap<>();
        Map<String, String> previous = new HashMap<>();
        String end = null;
        for (Node node : order) {
            if (node.done()) {
                continue;
            }
            int longest = 0;
            for (String first : before.getOrDefault(node.id(), List.of())) {
                int known = length.getOrDefault(first, 0);
                if (known > longest) {
                    longest = known;
                    previous.put(node.id(), first);
                }
            }
            length.put(node.id(), longest + 1);
            if (end == null || longest + 1 > length.getOrDefault(end, 0)) {
                end = node.id();
            }
        }
        List<Node> chain = new ArrayList<>();
        for (String id = end; id != null; id = previous.get(id)) {
            chain.addFirst(byId.get(id));
        }
        return new Critical(chain);
    }

    /** In the order in which they must be done. */
    public List<Node> chain() {
        return chain;
    }

    Set<Link> links() {
        Set<Link> links = new HashSet<>();
        for (int i = 1; i < chain.size(); i++) {
            links.add(new Link(chain.get(i - 1).id(), chain.get(i).id()));
        }
        return links;
    }

    /** How many of them somebody holds. */
    public long moving() {
        return chain.stream().filter(node -> node.lease() != null).count();
    }
}
