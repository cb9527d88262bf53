package dev.holdfast.broker.config;

import dev.holdfast.claim.Text;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The values given by one or several sources; {@link Config} has the defaults for the rest. */
public final class Settings {
    private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
    /** The source of each value: a flag, a variable or a file. */
    private final Map<Setting, String> sources = new EnumMap<>(Setting.class);

    private final Set<String> sections = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /** Sets a value, or records what is wrong with it. */
    public Settings put(Setting setting, Object value) {
        setting.problem(value).ifPresentOrElse(problems::add, () -> values.put(setting, value));
        return this;
    }

    /** Sets a value written as text, as in flags and the environment; {@code source} names it in a problem. */
    public Settings put(Setting setting, String text, String source) {
        if (!setting.isNumber()) {
            if (text.isBlank()) {
                problems.add(source + ": must not be blank");
            } else {
                values.put(setting, text);
                sources.put(setting, source);
            }
            return this;
        }
        try {
            long given = Long.parseLong(text.strip());
            if (setting.problem(given).isEmpty()) {
                values.put(setting, given);
                sources.put(setting, source);
                return this;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        problems.add(source + ": must be a number from " + setting.form().min() + " to "
                + setting.form().max() + ", not " + text);
        return this;
    }

    /** Whether there is a section for the reviewer pool, even an empty one. */
    public boolean hasPool() {
        return has(PoolConfig.SECTION);
    }

    /** Whether no values are given and no problems were found. */
    public boolean isEmpty() {
        return values.isEmpty() && sections.isEmpty() && problems.isEmpty();
    }

    Settings problem(String problem) {
        problems.add(problem);
        return this;
    }

    /** All problems, in the order found. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** These settings, completed by those of the others that are not given here and still have an effect. */
    public Settings over(Settings others) {
        Settings both = new Settings();
        both.values.putAll(others.values);
        both.sources.putAll(others.sources);
        both.sections.addAll(sections);
        both.sections.addAll(others.sections);
        for (Setting given : values.keySet()) {
            for (Setting replaced : given.replaces()) {
                if (both.values.remove(replaced) != null) {
                    both.sections.add(replaced.section());
                }
            }
        }
        both.values.putAll(values);
        values.keySet().forEach(both.sources::remove);
        both.sources.putAll(sources);
        both.problems.addAll(problems);
        both.problems.addAll(others.problems);
        return both;
    }

    /** The settings that apply even if nobody has trusted their file. */
    public Settings harmless() {
        Settings harmless = new Settings();
        values.forEach((setting, value) -> {
            if (setting.form().harmless()) {
                harmless.values.put(setting, value);
            }
        });
        harmless.sources.putAll(sources);
        return harmless;
    }

    /** The paths of those that do not. Even an empty pool section counts, because it starts reviewers. */
    public List<String> needTrust() {
        List<String> paths = new ArrayList<>(values.keySet().stream()
                .filter(setting -> !setting.form().harmless())
                .map(Setting::path)
                .toList());
        if (sections.contains(PoolConfig.SECTION)
                && paths.stream().noneMatch(path -> path.startsWith(PoolConfig.SECTION + "."))) {
            paths.add(PoolConfig.SECTION);
        }
        return paths;
    }

    /** All given values, one line each, as JSON and without terminal control characters. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        values.forEach((setting, value) -> lines.add(
                setting.path() + " = " + Text.printable(JsonMapper.shared().writeValueAsString(value))));
        if (needTrust().contains(PoolConfig.SECTION)) {
            lines.add(PoolConfig.SECTION + " = {}");
        }
        return lines;
    }

    /** A value safe to show, as JSON and without secrets, and its source. */
    public record Shown(String path, String value, String source) {}

    /** All given values, in the order of the configuration file. */
    public List<Shown> shown() {
        return values.entrySet().stream()
                .map(entry -> new Shown(
                        entry.getKey().path(),
                        Text.printable(JsonMapper.shared()
                                .writeValueAsString(SecretSettings.shown(entry.getKey(), entry.getValue()))),
                        source(entry.getKey()).orElse("")))
                .toList();
    }

    /** The same settings with this source for all. */
    public Settings from(String source) {
        Settings same = new Settings().over(this);
        same.values.keySet().forEach(setting -> same.sources.put(setting, source));
        return same;
    }

    /** The same settings without these. */
    public Settings without(Setting... settings) {
        Settings rest = new Settings().over(this);
        for (Setting setting : settings) {
            rest.values.remove(setting);
            rest.sources.remove(setting);
        }
        return rest;
    }

    /** The source of a setting's value; empty when it has none. */
    public Optional<String> source(Setting setting) {
        return Optional.ofNullable(sources.get(setting)).filter(_ -> values.containsKey(setting));
    }

    /** The same settings, with their file named before every problem. */
    Settings of(Path file) {
        Settings same = new Settings().over(this);
        same.problems.replaceAll(problem -> problem.startsWith(file.toString()) ? problem : file + ": " + problem);
        return same;
    }

    /** Notes that the section is present, though perhaps empty. */
    public Settings section(String section) {
        sections.add(section);
        return this;
    }

    /** Whether this section, or any setting in it, is given. */
    boolean has(String section) {
        return sections.contains(section)
                || values.keySet().stream()
                        .anyMatch(setting -> setting.section().equals(section));
    }

    boolean has(Setting setting) {
        return values.containsKey(setting);
    }

    double decimal(Setting setting) {
        return value(setting, Number.class).doubleValue();
    }

    List<String> texts(Setting setting) {
        return values.get(setting) instanceof List<?> given
                ? given.stream().map(String::valueOf).toList()
                : List.of();
    }

    Map<String, String> textsByName(Setting setting) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (values.get(setting) instanceof Map<?, ?> given) {
            given.forEach((name, text) -> texts.put(String.valueOf(name), String.valueOf(text)));
        }
        return texts;
    }

    Map<String, Long> numbersByName(Setting setting) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        if (values.get(setting) instanceof Map<?, ?> given) {
            given.forEach((name, number) -> numbers.put(String.valueOf(name), (Long) number));
        }
        return numbers;
    }

    /** The given value, or the default. */
    public long number(Setting setting) {
        return value(setting, Long.class);
    }

    int whole(Setting setting) {
        return Math.toIntExact(number(setting));
    }

    Duration seconds(Setting setting) {
        return Duration.ofSeconds(number(setting));
    }

    Duration days(Setting setting) {
        return Duration.ofDays(number(setting));
    }

    boolean flag(Setting setting) {
        return value(setting, Boolean.class);
    }

    /** The given text, or the default. */
    public String textOrDefault(Setting setting) {
        return value(setting, String.class);
    }

    private <T> T value(Setting setting, Class<T> type) {
        Object given = values.getOrDefault(setting, setting.form().standard());
        return type.cast(Objects.requireNonNull(given, () -> setting.path() + " has no default"));
    }

    /** Empty when it is not given. */
    Optional<Long> givenNumber(Setting setting) {
        return Optional.ofNullable((Long) values.get(setting));
    }

    Optional<Boolean> givenFlag(Setting setting) {
        return Optional.ofNullable((Boolean) values.get(setting));
    }

    /** The problems of texts that must be one of a few, in the order of the configuration file. */
    List<String> wrongChoices() {
        List<String> wrong = new ArrayList<>();
        values.forEach((setting, value) -> {
            if (value instanceof String text) {
                setting.form().wrongChoice(text).ifPresent(problem -> wrong.add(setting.path() + ": " + problem));
            }
        });
        return wrong;
    }

    /** Null when it is not given. */
    public @Nullable String text(Setting setting) {
        return values.get(setting) instanceof String given ? given : null;
    }

    /** Folders by name. */
    Map<String, Path> folders(Setting setting) {
        Map<String, Path> folders = new LinkedHashMap<>();
        if (values.get(setting) instanceof Map<?, ?> given) {
            given.forEach(
                    (name, path) -> folders.put(String.valueOf(name), UserFolders.path(setting, String.valueOf(path))));
        }
        return folders;
    }

    Optional<Path> folder(Setting setting) {
        return Optional.ofNullable(text(setting)).map(written -> UserFolders.path(setting, written));
    }
}
