package dev.holdfast.broker.dashboard.graph;

import dev.holdfast.broker.dashboard.part.OneDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A graph as it is drawn.
 *
 * @param critical what its end waits for
 * @param folded how many nodes it has in total, if some of them are drawn as one; otherwise 0
 */
public record Drawing(List<Placed> nodes, List<Line> lines, int width, int height, CriticalPath critical, int folded) {
    static final double HEIGHT = 54;
    static final double MARGIN = 16;
    static final int WIDTH = 184;
    private static final int STEP = 216;
    /**
     * How much room a page has beside the sidebar, and how far a drawing may be scaled down before it scrolls instead.
     */
    private static final int ROOM = 1_180;

    private static final double SMALLEST = 0.82;

    /** The factor by which the drawing is scaled down. */
    private double scale() {
        double fitting = (double) ROOM / width;
        return fitting >= 1 || fitting < SMALLEST ? 1 : fitting;
    }

    public int shownWidth() {
        return (int) Math.floor(width * scale());
    }

    public int shownHeight() {
        return (int) Math.ceil(height * scale());
    }

    /** A node and its place. */
    public record Placed(Node node, int x, int y) {
        /** The rope's length. */
        public String rope() {
            double left = node.lease() == null ? 0 : node.lease().left();
            return OneDecimal.of(40 * left);
        }
    }

    /** @param look crit, done or empty */
    public record Line(String path, String head, String look) {}

    /** @param elsewhere the address of a list of all nodes, if the graph is too large to be drawn whole */
    public static Drawing of(List<Node> given, List<Link> between, String elsewhere) {
        Set<Link> links = new LinkedHashSet<>(between);
        Map<String, Node> byId = new HashMap<>();
        given.forEach(node -> byId.put(node.id(), node));
        links.removeIf(link -> !byId.containsKey(link.from()) || !byId.containsKey(link.to()));
        Layers layers = new Layers(given, links);
        CriticalPath critical =
                CriticalPath.of(layers.order().stream().map(byId::get).toList(), links);
        List<Node> nodes = given;
        Set<Link> path = critical.links();
        boolean large = given.size() > Folding.MAX;
        if (large) {
            Folding folding = new Folding(given, links, layers, critical, elsewhere);
            nodes = folding.nodes();
            links = folding.links();
            path = folding.criticalLinks();
            layers = new Layers(nodes, links);
        }
        return draw(nodes, links, path, layers, critical, large ? given.size() : 0);
    }

    private static Drawing draw(
            List<Node> nodes, Set<Link> links, Set<Link> path, Layers layers, CriticalPath critical, int folded) {
        Placement placement = new Placement(nodes, links, layers);
        List<Placed> placed = new ArrayList<>();
        Map<String, Node> byId = new HashMap<>();
        for (Node node : nodes) {
            byId.put(node.id(), node);
            placed.add(new Placed(node, x(layers.of(node.id())), (int) Math.round(placement.top(node.id()))));
        }
        List<Line> lines = new ArrayList<>();
        for (Link link : links) {
            String look = path.contains(link)
                    ? "crit"
                    : isMet(Objects.requireNonNull(byId.get(link.from())), Objects.requireNonNull(byId.get(link.to())))
                            ? "done"
                            : "";
            lines.add(line(link, layers, placement, look));
        }
        lines.sort(Comparator.comparing(line -> line.look().equals("crit"))); // on top of the others
        return new Drawing(
                placed,
                lines,
                x(Math.max(0, layers.count() - 1)) + WIDTH + (int) MARGIN,
                (int) Math.ceil(placement.bottom() + MARGIN),
                critical,
                folded);
    }

    /** A node that was skipped or cancelled satisfies nothing, and no longer needs anything. */
    private static boolean isMet(Node first, Node then) {
        return first.done() && !first.leftOut() && !then.leftOut();
    }

    private static int x(int layer) {
        return (int) MARGIN + layer * STEP;
    }

    private static Line line(Link link, Layers layers, Placement placement, String look) {
        int layer = layers.of(link.from());
        double y = placement.top(link.from()) + HEIGHT / 2;
        double x = x(layer) + WIDTH;
        StringBuilder path = new StringBuilder(String.format(Locale.ROOT, "M%.0f %.1f", x, y));
        for (double bend : placement.bends(link)) {
            layer++;
            path.append(curve(x, y, x(layer), bend)).append(String.format(Locale.ROOT, "H%d", x(layer) + WIDTH));
            x = x(layer) + WIDTH;
            y = bend;
        }
        double end = x(layers.of(link.to())) - 6;
        double to = placement.top(link.to()) + HEIGHT / 2;
        path.append(curve(x, y, end, to));
        return new Line(
                path.toString(), String.format(Locale.ROOT, "M%.0f %.1fl7 3.5-7 3.5z", end - 1, to - 3.5), look);
    }

    private static String curve(double x, double y, double toX, double toY) {
        double middle = (x + toX) / 2;
        return String.format(Locale.ROOT, "C%.0f %.1f %.0f %.1f %.0f %.1f", middle, y, middle, toY, toX, toY);
    }
}
