package dev.holdfast.broker.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the broker's own reviewers run. There is a pool only if the config has this section.
 *
 * @param engine what they run
 * @param limits what they may spend and use
 */
public record PoolConfig(
        Engine engine,
        Model model,
        Workspace workspace,
        @Nullable Path prompt,
        Size size,
        Limits limits) {
    /** Its section in the file. */
    static final String SECTION = "reviewer_pool";

    /** How long a reviewer may take to make its first call. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Pattern MODEL_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

    private static final Set<String> CODEX_MODELS = Set.of(
            "gpt-5.3-codex", "gpt-5-codex", "gpt-5", "o3", "o3-pro", "o4-mini", "codex-mini", "codex-mini-latest");

    private static final Set<String> CLAUDE_MODELS = Set.of("sonnet", "opus", "haiku");

    /**
     * @param program the path of codex or claude; null: found by name on the PATH
     * @param command the argument list of the engine {@code command}
     * @param rulesOff the rules that the engine {@code rules} leaves out
     * @param environment variables of the broker to pass on to reviewers
     */
    public record Engine(
            String name,
            @Nullable String program,
            List<String> command,
            Set<String> rulesOff,
            Set<String> environment) {}

    public record Model(String name, String effort, Map<String, String> settings) {}

    /** @param inWsl the same folder's path inside WSL */
    public record Workspace(Path path, @Nullable String inWsl, String wslDistro, Scope scope) {}

    /** What a reviewer is bound to. */
    public enum Scope {
        /** All projects in the folder that it reads. */
        FOLDER,
        /** The project it was started for. */
        PROJECT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public record Size(
            int max, double ratio, Duration cooldown, Duration start, Duration idle, Duration ttl, Duration interval) {}

    /**
     * @param reviewsPerHour null: no limit
     * @param spawnsPerDay null: no limit
     * @param logBytes the maximum total size of all reviewers' logs
     */
    public record Limits(
            @Nullable Long reviewsPerHour, @Nullable Long spawnsPerDay, long logBytes) {}

    /** @return empty when there is no such section; adds what is wrong with it to the problems */
    static Optional<PoolConfig> of(
            Settings settings, @Nullable Path workspace, boolean windows, List<String> problems) {
        if (!settings.has(SECTION)) {
            return Optional.empty();
        }
        Engine engine = engine(settings, problems);
        Map<String, Long> limits = settings.numbersByName(Setting.POOL_LIMITS);
        List<String> names = Setting.POOL_LIMITS.form().choices();
        limits.keySet().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> problems.add(Setting.POOL_LIMITS.path() + "." + name + ": no such limit; "
                        + ClosestMatch.hint(name, names)));
        return Optional.of(new PoolConfig(
                engine,
                model(settings, engine.name(), problems),
                workspace(settings, workspace, windows, problems),
                prompt(settings, engine.name()),
                new Size(
                        settings.whole(Setting.POOL_SIZE),
                        settings.decimal(Setting.POOL_RATIO),
                        settings.seconds(Setting.POOL_COOLDOWN),
                        START,
                        settings.seconds(Setting.POOL_IDLE),
                        settings.seconds(Setting.POOL_TTL),
                        settings.seconds(Setting.POOL_INTERVAL)),
                new Limits(
                        limits.get("reviews_per_hour"),
                        limits.get("spawns_per_day"),
                        settings.number(Setting.POOL_LOG_BYTES))));
    }

    private static Engine engine(Settings settings, List<String> problems) {
        String name = settings.textOrDefault(Setting.POOL_ENGINE);
        List<String> command = settings.texts(Setting.POOL_COMMAND);
        if (Setting.POOL_ENGINE.form().wrongChoice(name).isEmpty() && name.equals("command") == command.isEmpty()) {
            problems.add(Setting.POOL_COMMAND.path()
                    + (command.isEmpty()
                            ? ": must name the program and its arguments, one word each"
                            : ": applies only to the engine command, but the engine is " + name));
        }
        Set<String> environment = new LinkedHashSet<>(settings.texts(Setting.POOL_ENVIRONMENT));
        environment.stream()
                .filter(variable -> !VARIABLE.matcher(variable).matches())
                .forEach(variable -> problems.add(
                        Setting.POOL_ENVIRONMENT.path() + ": '" + variable + "' is not a valid variable name"));
        return new Engine(
                name,
                settings.text(Setting.POOL_PROGRAM),
                command,
                new LinkedHashSet<>(settings.texts(Setting.POOL_RULES_OFF)),
                environment);
    }

    private static Model model(Settings settings, String engine, List<String> problems) {
        boolean claude = engine.equals("claude");
        List<String> given = settings.texts(Setting.POOL_MODELS);
        Set<String> allowed = given.isEmpty() ? (claude ? CLAUDE_MODELS : CODEX_MODELS) : Set.copyOf(given);
        allowed.stream()
                .filter(name -> !MODEL_NAME.matcher(name).matches())
                .sorted()
                .forEach(name ->
                        problems.add(Setting.POOL_MODELS.path() + ": '" + name + "' is not a valid model name"));
        String name =
                Optional.ofNullable(settings.text(Setting.POOL_MODEL)).orElse(claude ? "sonnet" : "gpt-5.3-codex");
        if (!allowed.contains(name)) {
            problems.add(Setting.POOL_MODEL.path() + ": Unsupported model: '" + name + "'. Allowed: "
                    + String.join(", ", allowed.stream().sorted().toList()) + " (" + Setting.POOL_MODELS.path() + ")");
        }
        return new Model(
                name, settings.textOrDefault(Setting.POOL_EFFORT), settings.textsByName(Setting.POOL_MODEL_SETTINGS));
    }

    private static Workspace workspace(
            Settings settings, @Nullable Path workspace, boolean windows, List<String> problems) {
        String given = settings.textOrDefault(Setting.POOL_WORKSPACE);
        Path path = given.equals("auto") ? workspace : UserFolders.path(Setting.POOL_WORKSPACE, given);
        if (path == null) {
            problems.add(Setting.POOL_WORKSPACE.path() + ": missing; a broker that runs in the background belongs to no"
                    + " folder: name the folder that reviewers read, here or as " + Setting.WORKSPACE.path());
            path = Path.of("");
        } else if (!windows && !Files.isDirectory(path)) {
            problems.add(Setting.POOL_WORKSPACE.path() + ": workspace_path does not exist: " + path);
        }
        return new Workspace(
                path,
                settings.text(Setting.POOL_WSL_WORKSPACE),
                settings.textOrDefault(Setting.POOL_WSL_DISTRO),
                "project".equals(settings.text(Setting.POOL_SCOPE)) ? Scope.PROJECT : Scope.FOLDER);
    }

    /** Whether the file is readable is checked at each start of a reviewer. The rules engine needs no prompt. */
    private static @Nullable Path prompt(Settings settings, String engine) {
        String given = settings.text(Setting.POOL_PROMPT);
        return given == null || engine.equals("rules") ? null : UserFolders.path(Setting.POOL_PROMPT, given);
    }

    /** The claim timeout is the old name for the lease of reviews. */
    static Settings withClaimTimeout(Settings settings, List<String> problems) {
        if (!settings.has(Setting.POOL_CLAIM_TIMEOUT)) {
            return settings;
        }
        long timeout = settings.number(Setting.POOL_CLAIM_TIMEOUT);
        if (settings.has(Setting.REVIEW_LEASE) && settings.number(Setting.REVIEW_LEASE) != timeout) {
            problems.add(Setting.POOL_CLAIM_TIMEOUT.path() + ": is " + timeout + ", but " + Setting.REVIEW_LEASE.path()
                    + ", which is the same setting, is " + settings.number(Setting.REVIEW_LEASE)
                    + "; give one of them");
        }
        return new Settings().put(Setting.REVIEW_LEASE, timeout).over(settings);
    }
}
