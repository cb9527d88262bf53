package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.ConfigFile;
import dev.holdfast.broker.config.ConfigSchema;
import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.review.diff.Anchors;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.diff.ContentHash;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.Interdiff;
import dev.holdfast.review.diff.ParseResult;
import dev.holdfast.review.diff.PositionDifference;
import dev.holdfast.review.diff.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is read without a broker: diffs and configuration files. */
final class Texts {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNode SCHEMA =
            JSON.<JsonNode>valueToTree(ConfigSchema.document()).path("properties");
    private static final Diff WHOLE = (Diff) Diff.parse(Samples.DIFF);

    private Texts() {}

    /** Reads a damaged diff, and does with it all that a review does. Returns what it came to. */
    static String diff(String text) {
        ParseResult parsed = Diff.parse(text);
        ChangeView.of(text, text.length() % 2 == 0);
        return switch (parsed) {
            case DiffProblem _ -> "refused";
            case Diff diff -> {
                ContentHash.of(diff);
                ContentHash.wherever(diff);
                BaseVersions.of(diff);
                Interdiff.between(WHOLE, diff);
                Interdiff.between(diff, WHOLE);
                Anchors.between(WHOLE, diff);
                PositionDifference.of(WHOLE, diff);
                diff.affectedFiles().forEach(file -> {
                    Anchors.at(diff, file.path(), Side.NEW, 1);
                    Anchors.at(diff, file.path(), Side.OLD, Integer.MAX_VALUE);
                });
                if (Diff.parse(diff.normalised()) instanceof DiffProblem problem) {
                    throw new IllegalStateException("its normalised text cannot be read: " + problem);
                }
                yield "read";
            }
        };
    }

    /** Reads a configuration of a few settings, near to right ones, some wrong. */
    static String config(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        String answer = answer(file);
        try (Stream<Path> beside = Files.list(file.getParent())) {
            if (beside.count() != 1) {
                throw new IllegalStateException("something was written beside it");
            }
        }
        return answer;
    }

    private static String answer(Path file) throws IOException {
        try {
            Config.of(ConfigFile.read(file));
            return "read";
        } catch (ConfigException refused) {
            if (refused.problems().isEmpty()) {
                throw new IllegalStateException("refused without a reason", refused);
            }
            return "refused";
        }
    }

    static String settings(Noise noise) {
        Map<String, @Nullable Object> sections = new LinkedHashMap<>();
        for (int i = noise.random().nextInt(1, 5); i > 0; i--) {
            String section = noise.oneOf(List.copyOf(SCHEMA.propertyNames()));
            JsonNode settings = SCHEMA.path(section).path("properties");
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int j = noise.random().nextInt(1, 4); j > 0 && !settings.isEmpty(); j--) {
                String name = noise.oneOf(List.copyOf(settings.propertyNames()));
                values.put(name, noise.oneIn(3) ? noise.odd(0) : value(noise, settings.path(name)));
            }
            sections.put(section, settings.isEmpty() || noise.oneIn(40) ? noise.odd(0) : values);
        }
        if (noise.oneIn(20)) {
            sections.put(noise.text(), noise.odd(0));
        }
        return noise.json(noise.oneIn(100) ? noise.odd(0) : sections);
    }

    private static @Nullable Object value(Noise noise, JsonNode schema) {
        if (schema.has("default") && noise.oneIn(2)) {
            return schema.get("default");
        }
        if (schema.has("enum")) {
            return noise.oneOf(List.copyOf(schema.path("enum").values()));
        }
        return switch (schema.path("type").asString("")) {
            case "integer", "number" ->
                noise.oneOf(List.of(
                        schema.path("minimum"), schema.path("maximum"), JSON.valueToTree(1L), JSON.valueToTree(-1L)));
            case "boolean" -> noise.random().nextBoolean();
            case "array" -> List.of(noise.text(), noise.text());
            case "object" ->
                Map.of(
                        noise.oneOf(List.of("work", "review", "step", "key", noise.text())),
                        noise.random().nextInt(100));
            default -> noise.text();
        };
    }
}
