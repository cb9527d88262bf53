package dev.holdfast.broker.dashboard.part;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A chart of at most three lines, or of bars. The drawing is 240 wide and 80 high and has no text, so that it can be stretched; labels
 * stand around it.
 *
 * @param big the one number
 * @param besides what belongs to it
 * @param times below the drawing
 * @param moments when each stretch of time began, for the table
 * @param dashed where a dashed line stands; less than 0: there is none
 * @param filled the first line's area is
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

    /** @param look its colour */
    public record Series(String name, String look, List<Double> values) {
        public double last() {
            return values.isEmpty() ? 0 : values.getLast();
        }
    }

    /** A line of the table: what each series was from this moment on. */
    public record Numbers(String moment, List<String> values) {}

    /** A bar: where it stands and how high it is. */
    public record Bar(String look, String x, String y, String width, String height) {}

    /** The top of the axis: the next round number above everything. */
    public double top() {
        double most = Math.max(
                dashed,
                bars
                        ? columns().stream()
                                .mapToDouble(Double::doubleValue)
                                .max()
                                .orElse(0)
                        : series.stream()
                                .flatMap(one -> one.values().stream())
                                .mapToDouble(Double::doubleValue)
                                .max()
                                .orElse(0));
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(1, most))));
        for (double factor : new double[] {1, 2, 4, 6, 8, 10}) {
            if (factor * step >= most && factor * step >= 4) {
                return factor * step;
            }
        }
        return Math.max(4, 10 * step);
    }

    private List<Double> columns() {
        List<Double> sums = new ArrayList<>();
        for (Series one : series) {
            for (int i = 0; i < one.values().size(); i++) {
                if (i == sums.size()) {
                    sums.add(0.0);
                }
                sums.set(i, sums.get(i) + one.values().get(i));
            }
        }
        return sums;
    }

    public List<String> axis() {
        return List.of(whole(top()), whole(top() / 2), "0");
    }

    public String points(Series one) {
        List<String> points = new ArrayList<>();
        int last = Math.max(1, one.values().size() - 1);
        for (int i = 0; i < one.values().size(); i++) {
            points.add(
                    Tenths.of(WIDE * i / last) + "," + Tenths.of(y(one.values().get(i))));
        }
        return String.join(" ", points);
    }

    public String area(Series one) {
        return "0,80 " + points(one) + " 240,80";
    }

    public String lastY(Series one) {
        return Tenths.of(y(one.last()));
    }

    public String dashedY() {
        return Tenths.of(y(dashed));
    }

    /** Stacked, the first at the bottom. */
    public List<Bar> barsDrawn() {
        List<Bar> drawn = new ArrayList<>();
        int columns = columns().size();
        double wide = WIDE / Math.max(1, columns);
        for (int i = 0; i < columns; i++) {
            double bottom = HIGH;
            for (Series one : series) {
                double height = HIGH * one.values().get(i) / top();
                if (height > 0) {
                    drawn.add(new Bar(
                            one.look(),
                            Tenths.of(wide * i + wide * 0.16),
                            Tenths.of(bottom - height),
                            Tenths.of(wide * 0.68),
                            Tenths.of(Math.max(0.6, height - 0.8))));
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
                    series.stream().map(one -> whole(one.values().get(place))).toList()));
        }
        return table;
    }

    /** What its parts are called in the page. */
    public String id() {
        return "chart-" + title.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
    }

    /** For whoever cannot see it. */
    public String says() {
        return series.stream()
                .map(one -> one.name() + " now " + whole(one.last()))
                .collect(Collectors.joining(", "));
    }

    private double y(double value) {
        return HIGH - HIGH * Math.min(value, top()) / top();
    }

    public static String whole(double number) {
        return number == Math.rint(number) || number >= 10
                ? String.format(Locale.ROOT, "%,d", Math.round(number))
                : Tenths.of(number);
    }
}
