package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** One row of the table: ours, peers and limits as bars, with the goal as a mark on the bar it is about. */
final class BarChart {
    private static final int WIDTH = 820;
    private static final int LEFT = 20;
    private static final int BARS = 640;
    private static final int HEIGHT = 18;

    private final JsonNode row;
    private final Map<String, Double> values = new TreeMap<>();
    private final Map<String, Double> scales = new TreeMap<>();
    private final Svg svg = new Svg(WIDTH);

    private BarChart(JsonNode row) {
        this.row = row;
    }

    static String draw(JsonNode row) {
        return new BarChart(row).draw();
    }

    private String draw() {
        for (JsonNode entry : row.path("entries")) {
            value(entry).ifPresent((double value) -> {
                values.put(entry.path("entry").asString(), value);
                scales.merge(entry.path("unit").asString(), value, Math::max);
            });
        }
        for (JsonNode goal : row.path("goals")) {
            scales.merge(unit(goal.path("entry").asString()), place(goal), Math::max);
        }
        String name = row.path("name").asString();
        svg.text(LEFT, 32, "title", name);
        double y = 52;
        for (String line : wrapped(row.path("measures").asString(), 118)) {
            svg.text(LEFT, y, "quiet", line);
            y += 17;
        }
        y += 12;
        for (JsonNode entry : row.path("entries")) {
            y = entry(entry, y);
        }
        svg.text(
                LEFT,
                y + 4,
                "quiet",
                "Bars with a verdict are ours; the others are what they are compared with. The mark on a bar is its goal.");
        return svg.finish(y + 20, name + ": " + row.path("measures").asString());
    }

    private double entry(JsonNode entry, double top) {
        String name = entry.path("entry").asString();
        List<JsonNode> goals = new ArrayList<>();
        row.path("goals").forEach(goal -> {
            if (goal.path("entry").asString().equals(name)) {
                goals.add(goal);
            }
        });
        double y = top;
        svg.text(LEFT, y, "", name);
        y += 14;
        Double value = values.get(name);
        svg.bar(LEFT, y, BARS, HEIGHT, "track");
        if (value == null) {
            svg.text(LEFT + 8, y + 13, "quiet", "not available here");
        } else {
            double scale = scales.getOrDefault(entry.path("unit").asString(), value);
            svg.bar(LEFT, y, BARS * value / scale, HEIGHT, goals.isEmpty() ? "other" : "ours");
            svg.text(
                    LEFT + BARS + 10,
                    y + 14,
                    "number",
                    Svg.number(value) + " " + entry.path("unit").asString());
        }
        for (JsonNode goal : goals) {
            if (place(goal) > 0) {
                mark(LEFT + BARS * place(goal) / scales.getOrDefault(unit(name), 1.0), y);
            }
        }
        y += HEIGHT + 17;
        for (JsonNode goal : goals) {
            verdict(goal, y);
            y += 18;
        }
        return y + 8;
    }

    private void mark(double x, double y) {
        svg.line(x, y - 3, x, y + HEIGHT + 3, "goal");
        svg.add(String.format(Locale.ROOT, "<path d=\"M%.1f %.1f l-4 -6 h8 z\" class=\"goalhead\"/>", x, y - 1));
    }

    private void verdict(JsonNode goal, double y) {
        String against = goal.path("against").asString("");
        String bound = (goal.path("goal").asString().startsWith(">") ? "at least " : "at most ")
                + Svg.bound(goal.path("bound").asDouble());
        String words = against.isEmpty() ? bound + " " + unit(goal.path("entry").asString()) : bound + " × " + against;
        if (!goal.path("value").isNumber()) {
            svg.text(LEFT, y, "quiet", "– not judged");
            words += values.containsKey(against) || against.isEmpty()
                    ? ": no round was quiet enough"
                    : ": that is not available here";
        } else {
            boolean met = goal.path("met").asBoolean();
            svg.text(LEFT, y, met ? "met" : "missed", met ? "✓ met" : "✗ missed");
            words += against.isEmpty()
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            ", and it is %.2f ×",
                            goal.path("value").asDouble());
        }
        svg.text(LEFT + 92, y, "quiet", words);
    }

    /** The goal's position, in the unit of its entry. */
    private double place(JsonNode goal) {
        double bound = goal.path("bound").asDouble();
        String against = goal.path("against").asString("");
        return against.isEmpty() ? bound : bound * values.getOrDefault(against, 0.0);
    }

    private String unit(String name) {
        for (JsonNode entry : row.path("entries")) {
            if (entry.path("entry").asString().equals(name)) {
                return entry.path("unit").asString();
            }
        }
        return "";
    }

    /** The median of the quiet rounds, or of all if none was quiet. */
    private OptionalDouble value(JsonNode entry) {
        if (entry.path("median").isNumber()) {
            return OptionalDouble.of(entry.path("median").asDouble());
        }
        List<Double> all = new ArrayList<>();
        for (JsonNode round : row.path("rounds")) {
            if (round.path("entry").asString().equals(entry.path("entry").asString())
                    && round.path("value").isNumber()) {
                all.add(round.path("value").asDouble());
            }
        }
        return Results.median(all);
    }

    static List<String> wrapped(String text, int max) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && line.length() + word.length() >= max) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
