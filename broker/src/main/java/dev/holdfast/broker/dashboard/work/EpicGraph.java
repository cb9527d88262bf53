package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.graph.Drawing;
import dev.holdfast.broker.dashboard.graph.Link;
import dev.holdfast.broker.dashboard.graph.Node;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.work.DependencyNetwork;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkStatus;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an item waits for, as a graph.
 *
 * @param closed how many of its parts are closed
 * @param held how many of its parts somebody holds
 * @param whole false: there is more than could be read
 */
public record EpicGraph(String id, String title, long closed, long held, long parts, Drawing drawing, boolean whole) {
    private static final int MAX = 500;

    /** Null: nothing comes before it. */
    static @Nullable EpicGraph of(WorkItems work, String id, Instant now) {
        DependencyNetwork.Before before = work.network().before(id, MAX);
        WorkItem end = before.items().get(id);
        if (end == null || before.items().size() < 2) {
            return null;
        }
        List<Node> nodes = before.items().values().stream()
                .sorted((a, b) -> Long.compare(a.position(), b.position()))
                .map(item -> node(item, now))
                .toList();
        String elsewhere = "/work?view=list&parent=" + id;
        long closed = before.items().values().stream()
                .filter(item -> !item.id().equals(id) && item.status() == WorkStatus.CLOSED)
                .count();
        long held = before.items().values().stream()
                .filter(item -> !item.id().equals(id) && item.claim() != null)
                .count();
        return new EpicGraph(
                id,
                end.title(),
                closed,
                held,
                before.items().size() - 1L,
                Drawing.of(nodes, needed(before.edges()), elsewhere),
                before.whole());
    }

    /** Leaves out links that others imply: if A leads to B and B to C, A needs no link to C. */
    private static List<Link> needed(List<DependencyNetwork.Edge> edges) {
        Set<DependencyNetwork.Edge> all = new HashSet<>(edges);
        return edges.stream()
                .filter(edge -> edges.stream()
                        .noneMatch(other -> other.first().equals(edge.first())
                                && !other.then().equals(edge.then())
                                && all.contains(new DependencyNetwork.Edge(other.then(), edge.then()))))
                .map(edge -> new Link(edge.first(), edge.then()))
                .toList();
    }

    private static Node node(WorkItem item, Instant now) {
        boolean held = item.claim() != null;
        String sub = held
                ? Objects.requireNonNull(item.claim()).holder()
                : item.id() + " · " + (waits(item) ? "waits" : Card.word(item.status(), Card.parked(item)));
        return new Node(
                item.id(),
                item.title(),
                sub,
                look(item),
                waits(item) ? "s-pending" : Card.icon(item.status(), Card.parked(item)),
                Address.work(item.id()),
                held ? Lease.of(Objects.requireNonNull(item.claim()), now) : null,
                item.status() == WorkStatus.CLOSED);
    }

    private static boolean waits(WorkItem item) {
        return item.status() == WorkStatus.BLOCKED && item.blockedReason() == null;
    }

    private static String look(WorkItem item) {
        return switch (item.status()) {
            case OPEN -> "";
            case IN_PROGRESS -> "sea";
            case BLOCKED -> item.parked() ? "port" : waits(item) ? "off" : "brass";
            case DEFERRED -> "off";
            case CLOSED -> "ok";
        };
    }

    /** What the end waits for, in a few words; this counts the end itself. */
    public String says() {
        int left = drawing.critical().chain().size();
        return left == 0 ? "all done" : left + " left, " + drawing.critical().moving() + " in progress";
    }

    /** The same for the end's own page: what is left before it. */
    public String before() {
        return closed == parts ? "all done" : parts - closed + " left, " + held + " in progress";
    }

    /** The item whose delay would hold up everything; empty: nobody holds one. */
    public String slowest() {
        return drawing.critical().chain().stream()
                .filter(node -> node.lease() != null)
                .map(Node::id)
                .findFirst()
                .orElse("");
    }
}
