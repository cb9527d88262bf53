package dev.holdfast.broker.dashboard.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where everything is drawn: layers are columns, and connected nodes are as close to each other as the others allow.
 */
final class Placement {
    private static final int SWEEPS = 8;
    private static final double GAP = 14;
    private static final double BEND = 12;

    /** A node, or a bend of a line that passes through a layer. */
    private static final class Spot {
        final int layer;
        final double height;
        final List<Spot> before = new ArrayList<>();
        final List<Spot> after = new ArrayList<>();
        double y;

        Spot(int layer, double height) {
            this.layer = layer;
            this.height = height;
        }

        double middle() {
            return y + height / 2;
        }

        double wanted() {
            List<Spot> all = new ArrayList<>(before);
            all.addAll(after);
            return all.isEmpty()
                    ? y
                    : all.stream().mapToDouble(Spot::middle).average().orElse(middle()) - height / 2;
        }
    }

    private final Map<String, Spot> spots = new HashMap<>();
    private final Map<Link, List<Spot>> bends = new HashMap<>();
    private final List<List<Spot>> columns = new ArrayList<>();

    Placement(List<Node> nodes, Set<Link> links, Layers layers) {
        for (int i = 0; i < layers.count(); i++) {
            columns.add(new ArrayList<>());
        }
        for (Node node : nodes) {
            spots.put(node.id(), add(layers.of(node.id()), Drawing.HEIGHT));
        }
        for (Link link : links) {
            Spot last = spot(link.from());
            Spot end = spot(link.to());
            List<Spot> through = new ArrayList<>();
            for (int layer = last.layer + 1; layer < end.layer; layer++) {
                Spot bend = add(layer, BEND);
                join(last, bend);
                through.add(bend);
                last = bend;
            }
            join(last, end);
            bends.put(link, through);
        }
        columns.forEach(Placement::stack);
        for (int i = 0; i < SWEEPS; i++) {
            sort(i % 2 == 0);
        }
        for (int i = 0; i < SWEEPS; i++) {
            (i % 2 == 0 ? columns : columns.reversed()).forEach(Placement::settle);
        }
        double top = spots.values().stream().mapToDouble(spot -> spot.y).min().orElse(0);
        columns.forEach(column -> column.forEach(spot -> spot.y += Drawing.MARGIN - top));
    }

    private Spot add(int layer, double height) {
        Spot spot = new Spot(layer, height);
        columns.get(layer).add(spot);
        return spot;
    }

    private static void join(Spot first, Spot then) {
        first.after.add(then);
        then.before.add(first);
    }

    private static void stack(List<Spot> column) {
        double y = 0;
        for (Spot spot : column) {
            spot.y = y;
            y += spot.height + GAP;
        }
    }

    private void sort(boolean forward) {
        for (List<Spot> column : forward ? columns : columns.reversed()) {
            Map<Spot, Double> wanted = new HashMap<>();
            for (Spot spot : column) {
                List<Spot> near = forward ? spot.before : spot.after;
                wanted.put(
                        spot, near.stream().mapToDouble(Spot::middle).average().orElse(spot.middle()));
            }
            column.sort(Comparator.comparingDouble(wanted::get));
            stack(column);
        }
    }

    /** Puts everything where it wants to be, or as close as the others allow. */
    private static void settle(List<Spot> column) {
        double[] wanted = column.stream().mapToDouble(Spot::wanted).toArray();
        double from = Double.NEGATIVE_INFINITY;
        double pushed = 0;
        for (int i = 0; i < wanted.length; i++) {
            Spot spot = column.get(i);
            spot.y = Math.max(wanted[i], from);
            pushed += spot.y - wanted[i];
            from = spot.y + spot.height + GAP;
        }
        double back = wanted.length == 0 ? 0 : pushed / wanted.length;
        column.forEach(spot -> spot.y -= back);
    }

    private Spot spot(String id) {
        return Objects.requireNonNull(spots.get(id), id);
    }

    double top(String id) {
        return spot(id).y;
    }

    /** Where a line passes through the layers between its ends. */
    List<Double> bends(Link link) {
        return bends.getOrDefault(link, List.of()).stream().map(Spot::middle).toList();
    }

    double bottom() {
        return columns.stream()
                .flatMap(List::stream)
                .mapToDouble(spot -> spot.y + spot.height)
                .max()
                .orElse(0);
    }
}
