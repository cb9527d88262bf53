package dev.holdfast.broker.dashboard.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the end waits for: the longest chain of nodes that are not done, and all others that are as long. */
public final class CriticalPath {
    private final List<Node> chain;
    private final Set<Link> links;

    private CriticalPath(List<Node> chain, Set<Link> links) {
        this.chain = List.copyOf(chain);
        this.links = Set.copyOf(links);
    }

    /** @param order every node after all its predecessors */
    static CriticalPath of(List<Node> order, Collection<Link> links) {
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
        return new CriticalPath(chain, withoutSlack(order, links, length, chain.size()));
    }

    /** The links of all chains of this length: a delay of any of their nodes delays the end. */
    private static Set<Link> withoutSlack(
            List<Node> order, Collection<Link> links, Map<String, Integer> length, int longest) {
        Map<String, List<Link>> into = new HashMap<>();
        links.forEach(
                link -> into.computeIfAbsent(link.to(), _ -> new ArrayList<>()).add(link));
        Set<String> critical = new HashSet<>();
        Set<Link> found = new HashSet<>();
        for (Node node : order.reversed()) {
            int own = length.getOrDefault(node.id(), 0);
            if (own > 0 && (own == longest || critical.contains(node.id()))) {
                into.getOrDefault(node.id(), List.of()).stream()
                        .filter(link -> own > 1 && length.getOrDefault(link.from(), 0) == own - 1)
                        .forEach(link -> {
                            found.add(link);
                            critical.add(link.from());
                        });
            }
        }
        return found;
    }

    /** In the order in which they must be done. */
    public List<Node> chain() {
        return chain;
    }

    Set<Link> links() {
        return links;
    }

    /** How many of them somebody holds. */
    public long moving() {
        return chain.stream().filter(node -> node.lease() != null).count();
    }
}
