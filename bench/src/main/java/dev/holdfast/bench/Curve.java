package dev.holdfast.bench;

import java.util.SortedMap;

/**
 * How a figure changes with a number that should not affect it.
 *
 * @param family the curves that share one plot
 * @param of what the sizes count, such as finished things
 * @param points the median by size
 * @param fastest the minimum by size, which other load on the machine affects least
 */
record Curve(
        String family,
        String store,
        String name,
        String unit,
        String of,
        int calls,
        SortedMap<Integer, Double> points,
        SortedMap<Integer, Double> fastest) {
    static final double MAX = 1.5;

    /** An increase up to this does not count as growth, for figures that are tiny anyway. */
    static final double SLACK = 1;

    double ratio() {
        return last() / points.firstEntry().getValue();
    }

    double ratioOfFastest() {
        return fastest.lastEntry().getValue() / fastest.firstEntry().getValue();
    }

    boolean met() {
        double first = points.firstEntry().getValue();
        return last() <= Math.max(MAX * first, first + SLACK);
    }

    String goal() {
        return "<= 1.50, or 1 " + unit + " more";
    }

    private double last() {
        return points.lastEntry().getValue();
    }
}
