package dev.holdfast.broker.dashboard.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes a large graph small enough to take in: nodes of a layer that look alike become one node with their number, and
 * a long path keeps only its beginning and its end. The critical path stays, as far as it fits.
 */
final class Folding {
    static final int MAX = 30;
    private static final int MAX_LAYERS = 10;
    private static final int FIRST_LAYERS = 6;

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Set<Link> links = new LinkedHashSet<>();
    private final Set<Link> criticalLinks = new LinkedHashSet<>();

    /** @param elsewhere the address of a list of all nodes */
    Folding(List<Node> all, Set<Link> given, Layers layers, CriticalPath critical, String elsewhere) {
        Map<String, String> becomes = new HashMap<>();
        Set<String> kept = critical.chain().stream().map(Node::id).collect(Collectors.toSet());
        Map<String, List<Node>> groups = new LinkedHashMap<>();
        for (Node node : all) {
            groups.computeIfAbsent(group(node, layers, kept), _ -> new ArrayList<>())
                    .add(node);
        }
        groups.forEach((name, alike) -> {
            Node one = alike.size() == 1 ? alike.getFirst() : together(name, alike, elsewhere);
            nodes.put(one.id(), one);
            alike.forEach(node -> becomes.put(node.id(), one.id()));
        });
        for (Link link : given) {
            String from = becomes.get(link.from());
            String to = becomes.get(link.to());
            if (from != null && to != null && !from.equals(to)) {
                links.add(new Link(from, to));
                if (critical.links().contains(link)) {
                    criticalLinks.add(new Link(from, to));
                }
            }
        }
    }

    /** In the middle of a long path all nodes are folded into one; otherwise nothing would be gained. */
    private static String group(Node node, Layers layers, Set<String> kept) {
        int layer = layers.of(node.id());
        int cut = layers.count() - MAX_LAYERS;
        if (cut > 0 && layer >= FIRST_LAYERS && layer < FIRST_LAYERS + cut) {
            return "middle";
        }
        return kept.contains(node.id()) ? "one " + node.id() : layer + " " + node.look();
    }

    private static Node together(String name, List<Node> alike, String elsewhere) {
        Node first = alike.getFirst();
        long done = alike.stream().filter(Node::done).count();
        String sub = done == alike.size()
                ? "all done"
                : done > 0 ? done + " done, " + (alike.size() - done) + " to do" : first.sub();
        boolean middle = name.equals("middle");
        return new Node(
                "fold " + name,
                alike.size() + (middle ? " more in between" : " similar"),
                sub,
                middle ? "off" : first.look(),
                middle ? "dots" : first.icon(),
                elsewhere,
                null,
                done == alike.size());
    }

    List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    Set<Link> links() {
        return links;
    }

    /** Those of them that stand for a critical one. */
    Set<Link> criticalLinks() {
        return criticalLinks;
    }
}
