package dev.holdfast.broker.dashboard.part;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A chart of at most three lines, or of bars. The drawing is 240 wide and 80 high and has no text, so that it can be
 * stretched; the labels are around it.
 *
 * @param series as the words name them; of lines, the first is on top
 * @param big the headline number
 * @param besides the text beside it
 * @param times the labels below the drawing
 * @param moments when each interval began, for the table
 * @param dashed where to draw a dashed line; negative: nowhere
 * @param filled whether the area below the first line is filled
 */
public record Chart(
        String title,
        String big,
        String besides,
        List<Series> series,
        List<String> times,
        List<String> moments,
        boolean bars,
        double dashed,
        String dashedSays,
        boolean filled) {
    private static final double WIDE = 240;
    private static final double HIGH = 80;

    /** A chart of lines, nothing filled and nothing dashed. */
    public static Chart lines(
            String title, String big, String besides, List<Series> series, List<String> times, List<String> moments) {
        return new Chart(title, big, besides, series, times, moments, false, -1, "", false);
    }

    /**
     * @param look its colour
     * @param values null where there was nothing to measure: a gap, not a zero
     */
    public record Series(String name, String look, List<? extends @Nullable Double> values) {
        public @Nullable Double last() {
            return values.getLast();
        }

        /** Without the gaps. */
        public DoubleStream measured() {
            return values.stream().filter(Objects::nonNull).mapToDouble(Double::doubleValue);
        }
    }

    /** A row of the table: the value of each series from this moment on. */
    public record Numbers(String moment, List<String> values) {}

    /** A bar: where it stands and how high it is. */
    public record Bar(String look, String x, String y, String width, String height) {}

    /** The top of the axis: the next round number above all values. */
    public double top() {
        double max = Math.max(
                dashed,
                bars
                        ? columns().stream()
                                .mapToDouble(Double::doubleValue)
                                .max()
                                .orElse(0)
                        : series.stream()
                                .flatMapToDouble(Series::measured)
                                .max()
                                .orElse(0));
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(1, max))));
        for (double factor : new double[] {1, 2, 4, 6, 8, 10}) {
            if (factor * step >= max && factor * step >= 4) {
                return factor * step;
            }
        }
        return Math.max(4, 10 * step);
    }

    private List<Double> columns() {
        return IntStream.range(0, moments.size())
                .mapToObj(i -> series.stream()
                        .mapToDouble(one -> orZero(one.values().get(i)))
                        .sum())
                .toList();
    }

    private static double orZero(@Nullable Double value) {
        return value == null ? 0 : value;
    }

    public List<String> axis() {
        return List.of(whole(top()), whole(top() / 2), "0");
    }

    /** The line; a value alone between two gaps is a dot. */
    public String path(Series one) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (int i = 0; i < one.values().size(); i++) {
            Double value = one.values().get(i);
            if (value != null) {
                path.append(drawing ? "L" : "M").append(at(one, i, value)).append(drawing ? "" : "h0");
            }
            drawing = value != null;
        }
        return path.toString();
    }

    /** The area below the line; only for a line without gaps. */
    public String area(Series one) {
        return path(one) + "V80H0Z";
    }

    /** The last measured value; empty: there is none. */
    public String dot(Series one) {
        for (int i = one.values().size() - 1; i >= 0; i--) {
            Double value = one.values().get(i);
            if (value != null) {
                return "M" + at(one, i, value) + "h0";
            }
        }
        return "";
    }

    private String at(Series one, int place, double value) {
        return OneDecimal.of(WIDE * place / Math.max(1, one.values().size() - 1)) + " " + OneDecimal.of(y(value));
    }

    public String dashedY() {
        return OneDecimal.of(y(dashed));
    }

    /** Stacked, the first at the bottom. */
    public List<Bar> barsDrawn() {
        List<Bar> drawn = new ArrayList<>();
        int columns = columns().size();
        double wide = WIDE / Math.max(1, columns);
        for (int i = 0; i < columns; i++) {
            double bottom = HIGH;
            for (Series one : series) {
                double height = HIGH * orZero(one.values().get(i)) / top();
                if (height > 0) {
                    drawn.add(new Bar(
                            one.look(),
                            OneDecimal.of(wide * i + wide * 0.16),
                            OneDecimal.of(bottom - height),
                            OneDecimal.of(wide * 0.68),
                            OneDecimal.of(Math.max(0.6, height - 0.8))));
                    bottom -= height;
                }
            }
        }
        return drawn;
    }

    /** The same as a table, the latest first. */
    public List<Numbers> table() {
        List<Numbers> table = new ArrayList<>();
        for (int i = moments.size() - 1; i >= 0; i--) {
            int place = i;
            table.add(new Numbers(
                    moments.get(i),
                    series.stream().map(one -> orNone(one.values().get(place))).toList()));
        }
        return table;
    }

    /** What its parts are called in the page. */
    public String id() {
        return "chart-" + title.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
    }

    /** For people who cannot see it. */
    public String says() {
        return series.stream()
                .map(one -> one.name() + " now " + orNone(one.last()))
                .collect(Collectors.joining(", "));
    }

    private double y(double value) {
        return HIGH - HIGH * Math.min(value, top()) / top();
    }

    private static String orNone(@Nullable Double number) {
        return number == null ? "none" : whole(number);
    }

    public static String whole(double number) {
        return number == Math.rint(number) || number >= 10
                ? String.format(Locale.ROOT, "%,d", Math.round(number))
                : OneDecimal.of(number);
    }
}
