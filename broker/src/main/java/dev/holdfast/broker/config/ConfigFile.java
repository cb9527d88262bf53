package dev.holdfast.broker.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads settings from a JSON file with comments, and reports everything that is wrong with it. */
public final class ConfigFile {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Editors find the schema under this key. */
    private static final String SCHEMA = "$schema";

    private ConfigFile() {}

    /**
     * What a predecessor's file means to us.
     *
     * @param ignored its sections that have no meaning here
     */
    public record Foreign(Settings settings, List<String> ignored) {}

    /** Reads one of our own files, in which everything must be known. */
    public static Settings read(Path file) {
        Settings settings = new Settings();
        load(settings, file).ifPresent(content -> readInto(settings, file, content, true));
        return settings;
    }

    /** The same, from content already read. */
    static Settings read(Path file, byte[] content) {
        Settings settings = new Settings();
        readInto(settings, file, content, true);
        return settings;
    }

    /** Reads a file that the predecessor shares with other tools; skips sections that are not ours. */
    public static Foreign readForeign(Path file) {
        Settings settings = new Settings();
        return new Foreign(
                settings,
                load(settings, file)
                        .map(content -> readInto(settings, file, content, false))
                        .orElse(List.of()));
    }

    /** Reads only the reviewer pool from a file that the predecessor shares with other tools. */
    static Settings readPool(Path file, byte[] content) {
        Settings settings = new Settings();
        parse(settings, file, content)
                .map(root -> root.get(PoolConfig.SECTION))
                .filter(pool -> !pool.isNull())
                .ifPresent(pool -> readSection(settings, PoolConfig.SECTION, pool));
        return settings;
    }

    private static List<String> readInto(Settings settings, Path file, byte[] content, boolean ours) {
        List<String> ignored = new ArrayList<>();
        parse(settings, file, content).ifPresent(root -> {
            for (Map.Entry<String, JsonNode> section : root.properties()) {
                if (!ours && section.getValue().isNull()) {
                    ignored.add(section.getKey()); // the predecessor treats null as absent
                } else if (Setting.sections().contains(section.getKey())) {
                    readSection(settings, section.getKey(), section.getValue());
                } else if (!ours) {
                    ignored.add(section.getKey());
                } else if (!section.getKey().equals(SCHEMA)) {
                    settings.problem(section.getKey() + ": no such section; "
                            + ClosestMatch.hint(section.getKey(), Setting.sections()));
                }
            }
        });
        return ignored;
    }

    private static Optional<byte[]> load(Settings settings, Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException _) {
            settings.problem(file + ": no such file");
        } catch (IOException e) {
            settings.problem(file + ": cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<JsonNode> parse(Settings settings, Path file, byte[] content) {
        try {
            JsonNode root = MAPPER.readTree(content);
            if (root.isObject()) {
                return Optional.of(root);
            }
            settings.problem(file + ": must be a JSON object of sections: " + String.join(", ", Setting.sections()));
        } catch (JacksonException e) {
            settings.problem(file + ": not valid JSON" + JsonProblem.place(e) + ": " + JsonProblem.of(e));
        }
        return Optional.empty();
    }

    private static void readSection(Settings settings, String section, JsonNode content) {
        if (!content.isObject()) {
            settings.problem(section + ": must be an object with " + String.join(", ", Setting.keys(section)));
            return;
        }
        settings.section(section);
        for (Map.Entry<String, JsonNode> entry : content.properties()) {
            String path = section + "." + entry.getKey();
            Setting.of(path)
                    .ifPresentOrElse(
                            setting -> readValue(settings, setting, entry.getValue()),
                            () -> settings.problem(path + ": no such setting; "
                                    + ClosestMatch.hint(entry.getKey(), Setting.keys(section))));
        }
    }

    private static void readValue(Settings settings, Setting setting, JsonNode value) {
        read(setting, value)
                .ifPresentOrElse(
                        read -> settings.put(setting, read),
                        () -> settings.problem(
                                setting.path() + ": must be " + setting.form().wanted() + ", not " + value));
    }

    /** Empty when the value has the wrong type. The predecessor also writes whole numbers as 300.0. */
    private static Optional<Object> read(Setting setting, JsonNode value) {
        return switch (setting.form().type()) {
            case TEXT -> value.isString() && !hasNul(value) ? Optional.of(value.stringValue()) : Optional.empty();
            case NUMBER -> whole(value).map(number -> number);
            case FLAG -> value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
            case DECIMAL -> value.isNumber() ? Optional.of(value.doubleValue()) : Optional.empty();
            case TEXTS -> {
                boolean texts = value.isArray() && value.valueStream().allMatch(ConfigFile::isText);
                yield texts
                        ? Optional.of(
                                value.valueStream().map(JsonNode::stringValue).toList())
                        : Optional.empty();
            }
            case FOLDERS, TEXTS_BY_NAME -> {
                boolean texts = value.isObject() && value.valueStream().allMatch(ConfigFile::isText);
                yield texts ? Optional.of(byName(value, JsonNode::stringValue)) : Optional.empty();
            }
            case NUMBERS_BY_NAME -> {
                boolean numbers = value.isObject()
                        && value.valueStream()
                                .allMatch(one -> whole(one)
                                        .filter(number ->
                                                setting.problem(number).isEmpty())
                                        .isPresent());
                yield numbers ? Optional.of(byName(value, one -> whole(one).orElseThrow())) : Optional.empty();
            }
        };
    }

    private static Optional<Long> whole(JsonNode value) {
        return value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToLong()
                ? Optional.of(value.longValue())
                : Optional.empty();
    }

    private static boolean isText(JsonNode value) {
        return value.isString() && !value.stringValue().isBlank() && !hasNul(value);
    }

    /** No path, address or program name contains NUL. */
    private static boolean hasNul(JsonNode value) {
        return value.stringValue().indexOf('\0') >= 0;
    }

    private static <T> Map<String, T> byName(JsonNode value, Function<JsonNode, T> reader) {
        Map<String, T> read = new LinkedHashMap<>();
        value.properties().forEach(entry -> read.put(entry.getKey(), reader.apply(entry.getValue())));
        return read;
    }
}
