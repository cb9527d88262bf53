package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The charts of a run, drawn from its JSON, so that those of an earlier run can be redrawn. */
final class Charts {
    private static final Map<String, String> FAMILIES = Map.of(
            "claims", "Claims over HTTP, with more and more finished things in the store",
            "work-lists", "Lists of work over HTTP, with more and more finished things in the store",
            "other-reads", "Other reading over HTTP, with more and more finished things in the store",
            "pages", "Pages of the dashboard, with more and more finished things in the store",
            "sweep", "Taking back 100 expired claims, with more and more finished things in the store",
            "steps", "A step claimed and completed over HTTP, in larger and larger tasks",
            "waiters", "From creating a work item until one of many who wait holds it",
            "waiters-memory", "Memory of each who waits for work");

    private Charts() {}

    static void draw(String report, Path folder) throws IOException {
        JsonNode json = JsonMapper.shared().readTree(report);
        Files.createDirectories(folder);
        for (JsonNode row : json.path("scenarios")) {
            if (!row.path("entries").isEmpty()) {
                String name = row.path("name").asString().toLowerCase(Locale.ROOT);
                Files.writeString(folder.resolve(name + ".svg"), BarChart.draw(row));
            }
        }
        Map<String, List<JsonNode>> families = new LinkedHashMap<>();
        json.path("growth")
                .forEach(curve -> families.computeIfAbsent(curve.path("family").asString(), _ -> new ArrayList<>())
                        .add(curve));
        for (Map.Entry<String, List<JsonNode>> family : families.entrySet()) {
            Files.writeString(
                    folder.resolve("growth-" + family.getKey() + ".svg"),
                    LineChart.draw(FAMILIES.getOrDefault(family.getKey(), family.getKey()), family.getValue()));
        }
    }
}
