package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The curves of one family on both stores: sizes on a logarithmic axis, times from zero. */
final class LineChart {
    private static final int WIDTH = 820;
    private static final int LEFT = 64;
    private static final int PLOT = 470;
    private static final int HEIGHT = 200;
    private static final List<String> DASHES = List.of("", "7 4", "2 3", "10 3 2 3", "5 2");

    private final Svg svg = new Svg(WIDTH);

    private LineChart() {}

    static String draw(String title, List<JsonNode> curves) {
        return new LineChart().drawn(title, curves);
    }

    private String drawn(String title, List<JsonNode> curves) {
        svg.text(20, 32, "title", title);
        Map<String, List<JsonNode>> byStore = new TreeMap<>();
        curves.forEach(curve -> byStore.computeIfAbsent(curve.path("store").asString(), _ -> new ArrayList<>())
                .add(curve));
        double y = 60;
        for (Map.Entry<String, List<JsonNode>> store : byStore.entrySet()) {
            y = panel(store.getKey(), store.getValue(), y);
        }
        svg.text(
                20,
                y,
                "quiet",
                "Medians. Goal: at the largest size at most 1.5 times what it is at the smallest, or 1 "
                        + curves.getFirst().path("unit").asString() + " more.");
        return svg.finish(y + 18, title);
    }

    private double panel(String store, List<JsonNode> curves, double top) {
        double max = 0;
        TreeMap<Integer, String> sizes = new TreeMap<>();
        for (JsonNode curve : curves) {
            for (Map.Entry<String, JsonNode> point : curve.path("medians").properties()) {
                sizes.put(Integer.parseInt(point.getKey()), point.getKey());
                max = Math.max(max, point.getValue().asDouble());
            }
        }
        double step = step(max);
        double ceiling = Math.ceil(max / step) * step;
        double bottom = top + 14 + HEIGHT;
        svg.text(
                20, top, "number", store + ", " + curves.getFirst().path("unit").asString());
        for (double value = 0; value <= ceiling + step / 2; value += step) {
            double y = bottom - HEIGHT * value / ceiling;
            svg.line(LEFT, y, LEFT + PLOT, y, "axis");
            svg.text(LEFT - 8, y + 4, "quiet", "end", String.format(Locale.ROOT, step < 1 ? "%.1f" : "%,.0f", value));
        }
        sizes.forEach((size, _) ->
                svg.text(x(size, sizes), bottom + 18, "quiet", "middle", String.format(Locale.ROOT, "%,d", size)));
        svg.text(
                LEFT + PLOT / 2.0,
                bottom + 36,
                "quiet",
                "middle",
                curves.getFirst().path("of").asString());
        List<double[]> ends = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            StringBuilder path = new StringBuilder();
            double y = bottom;
            for (Map.Entry<String, JsonNode> point :
                    curves.get(i).path("medians").properties()) {
                double x = x(Integer.parseInt(point.getKey()), sizes);
                y = bottom - HEIGHT * point.getValue().asDouble() / ceiling;
                path.append(String.format(Locale.ROOT, "%s%.1f %.1f ", path.isEmpty() ? "M" : "L", x, y));
                svg.add(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" style=\"fill: var(--c%d)\"/>",
                        x,
                        y,
                        i % 5 + 1));
            }
            svg.add(String.format(
                    Locale.ROOT,
                    "<path d=\"%s\" style=\"fill: none; stroke: var(--c%d); stroke-width: 2; stroke-dasharray: %s\"/>",
                    path.toString().strip(),
                    i % 5 + 1,
                    i % 5 == 0 ? "none" : DASHES.get(i % 5)));
            ends.add(new double[] {i, y});
        }
        label(curves, ends, top + 14, bottom);
        return bottom + 72;
    }

    /** Labels at the ends of the lines, moved apart where those are close together. */
    private void label(List<JsonNode> curves, List<double[]> ends, double top, double bottom) {
        ends.sort((a, b) -> Double.compare(a[1], b[1]));
        double gap = 34;
        double last = top - gap + 6;
        for (int i = 0; i < ends.size(); i++) {
            double room = bottom - (ends.size() - 1 - i) * gap;
            double y = Math.max(last + gap, Math.min(ends.get(i)[1], room));
            last = y;
            int number = (int) ends.get(i)[0];
            JsonNode curve = curves.get(number);
            double x = LEFT + PLOT + 24;
            svg.add(String.format(
                    Locale.ROOT,
                    "<path d=\"M%.1f %.1f L%.1f %.1f h22\" style=\"fill: none; stroke: var(--c%d); stroke-width: 1.5; stroke-dasharray: %s\"/>",
                    x - 18,
                    ends.get(i)[1],
                    x,
                    y - 4,
                    number % 5 + 1,
                    number % 5 == 0 ? "none" : DASHES.get(number % 5)));
            svg.text(x + 28, y, "", curve.path("name").asString());
            boolean met = curve.path("met").asBoolean();
            svg.text(x + 28, y + 15, met ? "met" : "missed", met ? "✓ met" : "✗ missed");
            svg.text(
                    x + 106,
                    y + 15,
                    "quiet",
                    String.format(Locale.ROOT, "%.2f ×", curve.path("ratio").asDouble()));
        }
    }

    private static double x(int size, SortedMap<Integer, String> sizes) {
        double from = Math.log10(sizes.firstKey());
        double to = Math.log10(sizes.lastKey());
        return LEFT + 16 + (PLOT - 32) * (to == from ? 0.5 : (Math.log10(size) - from) / (to - from));
    }

    /** A round number that gives about five lines. */
    private static double step(double max) {
        double raw = Math.max(max, 0.1) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        return raw <= power ? power : raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
    }
}
