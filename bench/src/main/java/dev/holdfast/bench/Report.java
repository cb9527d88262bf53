package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.NotAvailable;
import dev.holdfast.bench.Results.Judged;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The table for people. */
final class Report {
    private static final List<String> HEAD =
            List.of("", "entry", "figure", "", "x yardstick", "against", "ratio", "goal", "", "rounds kept");

    private Report() {}

    static String table(List<Results> all) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        for (Results results : all) {
            results.entries().forEach(entry -> lines.addAll(linesOf(results, entry)));
        }
        return aligned(lines);
    }

    static String growth(List<Curve> curves) {
        if (curves.isEmpty()) {
            return "";
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("growth", "", "", "medians by size", "ratio", "goal", "", "ratio of the least"));
        for (Curve curve : curves) {
            List<String> points = new ArrayList<>();
            curve.points()
                    .forEach((size, value) -> points.add(String.format(Locale.ROOT, "%,d: %s", size, number(value))));
            lines.add(List.of(
                    curve.store(),
                    curve.name(),
                    curve.unit(),
                    String.join("  ", points),
                    number(curve.ratio()),
                    curve.goal(),
                    curve.met() ? "met" : "MISSED",
                    number(curve.ratioOfFastest())));
        }
        return aligned(lines);
    }

    private static List<List<String>> linesOf(Results results, Entry entry) {
        String name = results.scenario().name();
        boolean available = results.samples().stream()
                .filter(sample -> sample.entry().equals(entry.name()))
                .noneMatch(sample -> sample.outcome() instanceof NotAvailable);
        if (!available) {
            return List.of(List.of(name, entry.name(), "not available", "", "", "", "", "", "", ""));
        }
        Judged figure = results.figure(entry.name());
        List<String> start = List.of(
                name,
                entry.name(),
                number(figure.value()),
                entry.unit(),
                number(results.ofYardstick(entry.name()).value()));
        List<List<String>> lines = new ArrayList<>();
        for (Goal goal : results.scenario().goals()) {
            if (goal.entry().equals(entry.name())) {
                List<String> line = new ArrayList<>(lines.isEmpty() ? start : List.of(name, "", "", "", ""));
                line.addAll(judged(results, goal));
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            List<String> line = new ArrayList<>(start);
            line.addAll(List.of("", "", "", "", kept(figure, results)));
            lines.add(line);
        }
        return lines;
    }

    private static List<String> judged(Results results, Goal goal) {
        Judged judged = results.judge(goal);
        String verdict = judged.value().isEmpty()
                ? "not judged"
                : goal.metBy(judged.value().getAsDouble()) ? "met" : "MISSED";
        return List.of(
                goal.against() == null ? "" : goal.against(),
                goal.against() == null ? "" : number(judged.value()),
                goal.toString(),
                verdict,
                kept(judged, results));
    }

    private static String kept(Judged judged, Results results) {
        return judged.kept() + " of " + results.rounds();
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty() ? "-" : number(value.getAsDouble());
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.3f", value);
    }

    private static String aligned(List<List<String>> lines) {
        int[] widths = new int[lines.getFirst().size()];
        lines.forEach(line -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                row.append(("%-" + Math.max(1, widths[i]) + "s  ").formatted(line.get(i)));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
