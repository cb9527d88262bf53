package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import dev.holdfast.bench.Results.Judged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Everything that was measured, for programs: the machine, every round, and the results. */
final class JsonReport {
    private JsonReport() {}

    static String write(
            Instant started,
            Map<String, String> machine,
            List<Results> all,
            List<Curve> curves,
            List<String> violations) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("started_at", started.toString());
        report.put("machine", machine);
        report.put("jvm_flags", ChildJvm.FLAGS);
        report.put("postgres_settings", PostgresServer.SETTINGS);
        report.put("scenarios", all.stream().map(JsonReport::scenario).toList());
        report.put("growth", curves.stream().map(JsonReport::curve).toList());
        report.put("violations", violations);
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n";
    }

    private static Map<String, @Nullable Object> curve(Curve curve) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("family", curve.family());
        json.put("store", curve.store());
        json.put("name", curve.name());
        json.put("unit", curve.unit());
        json.put("of", curve.of());
        json.put("calls", curve.calls());
        json.put("medians", curve.points());
        json.put("least", curve.fastest());
        json.put("ratio", curve.ratio());
        json.put("ratio_of_least", curve.ratioOfFastest());
        json.put("goal", curve.goal());
        json.put("met", curve.met());
        return json;
    }

    private static Map<String, @Nullable Object> scenario(Results results) {
        Map<String, @Nullable Object> scenario = new LinkedHashMap<>();
        scenario.put("name", results.scenario().name());
        scenario.put("measures", results.scenario().measures());
        List<Object> entries = new ArrayList<>();
        for (Entry entry : results.entries()) {
            Map<String, @Nullable Object> median = new LinkedHashMap<>();
            median.put("entry", entry.name());
            median.put("unit", entry.unit());
            put(median, "median", results.figure(entry.name()));
            entries.add(median);
        }
        scenario.put("entries", entries);
        scenario.put(
                "goals",
                results.scenario().goals().stream()
                        .map(goal -> goal(results, goal))
                        .toList());
        scenario.put(
                "rounds", results.samples().stream().map(JsonReport::sample).toList());
        return scenario;
    }

    private static Map<String, @Nullable Object> goal(Results results, Goal goal) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        Judged judged = results.judge(goal);
        json.put("entry", goal.entry());
        json.put("against", goal.against());
        json.put("goal", goal.toString());
        json.put("bound", goal.bound());
        put(json, "value", judged);
        json.put(
                "met",
                judged.value().isEmpty() ? null : goal.metBy(judged.value().getAsDouble()));
        return json;
    }

    private static void put(Map<String, @Nullable Object> into, String name, Judged judged) {
        into.put(name, judged.value().isEmpty() ? null : judged.value().getAsDouble());
        into.put("rounds_kept", judged.kept());
    }

    private static Map<String, @Nullable Object> sample(Sample sample) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("round", sample.round());
        json.put("entry", sample.entry());
        json.put("yardstick_before", sample.yardstickBefore());
        json.put("yardstick_after", sample.yardstickAfter());
        json.put("kept", sample.quiet());
        switch (sample.outcome()) {
            case Figure figure -> {
                json.put("value", figure.value());
                json.put("details", figure.details());
                json.put("violations", figure.violations());
            }
            case NotAvailable missing -> json.put("not_available", missing.why());
        }
        return json;
    }
}
