package dev.holdfast.broker;

import dev.holdfast.broker.config.ClosestMatch;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigFile;
import dev.holdfast.broker.config.FolderConfig;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.SecretSettings;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.config.TrustedSettings;
import dev.holdfast.broker.config.UserFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines the settings of {@code serve}: flags override the environment, which overrides the working folder's
 * settings as far as those are allowed, which override the user's own. A file named by flag or environment replaces
 * both of these.
 */
final class ServeSettings {
    static final String HELP = """
            Usage: holdfast serve [--host H] [--port 8321] [--data DIR] [--database URL] [--config FILE]
                                  [--reviewers ENGINE] [--background]

            Starts the broker. Prints one line when it answers; SIGTERM or Ctrl-C stops it cleanly.

              --host H         the address to listen on (127.0.0.1); others need tokens
              --port N         the port (8321); 0 picks a free one
              --data DIR       the folder of the SQLite store (the user's data folder)
              --database URL   PostgreSQL instead: postgres://user@host:5432/database; if it has a password,
                               use HOLDFAST_DATABASE instead: others can see a program's arguments
              --config FILE    settings, instead of those of this folder and the user's own
              --reviewers ENGINE
                               run reviewers: rules, codex or claude (reviewer_pool.engine)
              --background     used by hooks and 'holdfast mcp --start': ignores this folder's settings
              --help           this text

            Environment: HOLDFAST_DATA, HOLDFAST_DATABASE, HOLDFAST_DIRECT_DATABASE, HOLDFAST_CONFIG. Flags override the
            environment, which overrides .holdfast/config.json in this folder, which overrides config.json in
            your config folder. Because anyone may have written this folder's file, most of its settings are
            ignored until you run 'holdfast trust'.

            Examples:
              holdfast serve
              holdfast serve --port 0 --data /tmp/try-it
              HOLDFAST_DATABASE=postgres://holdfast:secret@db.example:5432/holdfast holdfast serve

            Exit codes: 0 stopped, 1 cannot start, 2 wrong arguments or settings.
            """;

    private static final String BACKGROUND = "--background";
    private static final List<String> LEVELS = List.of("trace", "debug", "info", "warn", "error", "off");
    private static final Map<String, Optional<Setting>> FLAGS = flags();

    private final Map<String, String> environment;
    private @Nullable Path workingFolder;
    private final Path here;
    private final UserFolders folders;
    private final List<String> notices = new ArrayList<>();
    private final List<String> exposed = new ArrayList<>();
    private Settings settings = new Settings();
    /** The settings file used instead of the folder's and the user's. */
    private @Nullable Path named;

    private boolean forgotten;
    private @Nullable Path poolFile;
    private final List<String> whyNoPool = new ArrayList<>();

    ServeSettings(Map<String, String> environment, Path workingFolder, UserFolders folders) {
        this.environment = environment;
        this.workingFolder = workingFolder;
        here = workingFolder;
        this.folders = folders;
    }

    /** The flags are invalid. */
    static final class UsageException extends RuntimeException {
        UsageException(String message) {
            super(message);
        }
    }

    /** Notices for the user that do not prevent the start. */
    List<String> notices() {
        return List.copyOf(notices);
    }

    /** Warnings about settings files with secrets that others can read, which are among the notices, too. */
    List<String> exposed() {
        return List.copyOf(exposed);
    }

    Config config(List<String> arguments) {
        return Config.of(settings(arguments), workingFolder);
    }

    /** The folder whose settings apply; null: none. */
    @Nullable
    Path workingFolder() {
        return workingFolder;
    }

    /** All given values, each with its source. */
    Settings settings(List<String> arguments) {
        Map<String, String> given = parse(arguments);
        Settings flags = new Settings();
        given.forEach((flag, value) ->
                FLAGS.getOrDefault(flag, Optional.empty()).ifPresent(setting -> flags.put(setting, value, flag)));
        if (!flags.problems().isEmpty()) {
            throw new UsageException(String.join("\n", flags.problems()));
        }
        String level = environment.getOrDefault("HOLDFAST_LOG_LEVEL", "");
        if (!level.isEmpty() && !LEVELS.contains(level.toLowerCase(Locale.ROOT))) {
            throw new UsageException("HOLDFAST_LOG_LEVEL must be one of " + String.join(", ", LEVELS) + ", not '"
                    + level + "'; " + ClosestMatch.hint(level, LEVELS));
        }
        if (SecretSettings.hasPassword(given.get("--database"))) {
            notices.add(
                    "every user of this machine can see the password in --database while the broker runs; put the address into"
                            + " HOLDFAST_DATABASE or a settings file");
        }
        if (!given.containsKey(BACKGROUND)) {
            return all(flags, given.get("--config"));
        }
        workingFolder = null;
        return PreviousBroker.of(flags, folders.state())
                .map(before -> again(flags, given.get("--config"), before))
                .orElseGet(() -> all(flags, given.get("--config")));
    }

    private Settings all(Settings flags, @Nullable String config) {
        named = named(config).orElse(null);
        settings = flags.over(environment()).over(files());
        return settings;
    }

    /** Restores the previous broker with its store and settings, whatever this environment says about those. */
    private Settings again(Settings flags, @Nullable String config, PreviousBroker before) {
        workingFolder = before.served().folder();
        named = config != null ? here.resolve(config) : before.served().config();
        if (named == null && variable("HOLDFAST_CONFIG").isPresent()) {
            notices.add("ignores HOLDFAST_CONFIG, as the previous broker here did");
            forgotten = true;
        }
        settings = flags.over(before.pool()).over(before.over(environment(), files(), notices));
        return settings;
    }

    /** The previous broker at this address. */
    Optional<BrokerRecord> before(Config config) {
        return BrokerRecord.last(
                folders.state(), config.server().host(), config.server().port());
    }

    /** The record from which the same broker can be started again. */
    BrokerRecord served(Config config, String url, Instant since) {
        Config.Storage store = config.store();
        String source = settings.source(store.database() == null ? Setting.DATA : Setting.DATABASE)
                .orElse("");
        boolean ofTheUser = source.isEmpty() || source.equals(String.valueOf(named)) || source.equals(own().toString());
        return new BrokerRecord(
                url,
                ProcessHandle.current().pid(),
                since,
                store.data(),
                store.database(),
                !ofTheUser,
                !ofTheUser && SecretSettings.hasPassword(store.database()),
                named,
                workingFolder,
                settings.source(Setting.POOL_ENGINE)
                        .filter(from -> from.equals("--reviewers") || from.equals(PreviousBroker.SOURCE))
                        .map(_ -> settings.text(Setting.POOL_ENGINE))
                        .orElse(null),
                config.server().port() == 0);
    }

    /** Says whether the broker runs its own reviewers, and why or why not. */
    String pool(Config config) {
        PoolConfig pool = config.pool();
        if (pool == null) {
            return whyNoPool.isEmpty()
                    ? "the reviewer pool is off, so reviews wait for people and other agents; reviewers that need no model"
                            + " run with: holdfast serve --reviewers rules"
                    : "the reviewer pool is off: " + String.join("; ", whyNoPool);
        }
        return "the reviewer pool is on, by " + (poolFile == null ? "--reviewers" : poolFile) + ": engine "
                + pool.engine().name() + ", at most "
                + pool.size().max() + " reviewers, each bound to a "
                + pool.workspace().scope() + ", in " + pool.workspace().path();
    }

    /** Notes what a file says about the pool. */
    private Settings heard(Path file, Settings read) {
        if (read.hasPool()) {
            poolFile = file;
        } else {
            whyNoPool.add("no reviewer_pool in " + file);
        }
        return read;
    }

    private static Map<String, Optional<Setting>> flags() {
        Map<String, Optional<Setting>> flags = new LinkedHashMap<>();
        flags.put("--host", Optional.of(Setting.HOST));
        flags.put("--port", Optional.of(Setting.PORT));
        flags.put("--data", Optional.of(Setting.DATA));
        flags.put("--database", Optional.of(Setting.DATABASE));
        flags.put("--reviewers", Optional.of(Setting.POOL_ENGINE));
        flags.put("--config", Optional.empty());
        flags.put(BACKGROUND, Optional.empty());
        return flags;
    }

    private static Map<String, String> parse(List<String> arguments) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            if (!FLAGS.containsKey(flag)) {
                throw new UsageException("unknown argument " + flag + "; " + ClosestMatch.hint(flag, FLAGS.keySet()));
            }
            boolean alone = flag.equals(BACKGROUND);
            if (alone && equals >= 0) {
                throw new UsageException(flag + " takes no value");
            }
            if (!alone && equals < 0 && i + 1 == arguments.size()) {
                throw new UsageException(flag + " needs a value");
            }
            String value = alone ? "" : equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (given.put(flag, value) != null) {
                throw new UsageException(flag + " is given twice");
            }
        }
        return given;
    }

    private Settings environment() {
        Settings settings = new Settings();
        variable("HOLDFAST_DATA").ifPresent(value -> settings.put(Setting.DATA, value, "HOLDFAST_DATA"));
        variable("HOLDFAST_DATABASE").ifPresent(value -> settings.put(Setting.DATABASE, value, "HOLDFAST_DATABASE"));
        variable("HOLDFAST_DIRECT_DATABASE")
                .ifPresent(value -> settings.put(Setting.DIRECT_DATABASE, value, "HOLDFAST_DIRECT_DATABASE"));
        Settings old = new Settings();
        variable("BROKER_HOST").ifPresent(host -> {
            notices.add("BROKER_HOST is honoured as --host; that name is the predecessor's");
            old.put(Setting.HOST, host, "BROKER_HOST");
        });
        variable("BROKER_DB_PATH").ifPresent(file -> {
            Path parent = Path.of(file).getParent();
            String folder = parent == null ? "." : parent.toString();
            notices.add("BROKER_DB_PATH is honoured: the store is in its folder, " + folder + "; use HOLDFAST_DATA");
            old.put(Setting.DATA, folder, "BROKER_DB_PATH");
        });
        variable("BROKER_REPO_ROOT").ifPresent(folder -> {
            notices.add(
                    "BROKER_REPO_ROOT is honoured as " + Setting.WORKSPACE.path() + ", the predecessor's name for it");
            old.put(Setting.WORKSPACE, folder, "BROKER_REPO_ROOT");
        });
        return settings.over(old);
    }

    private Optional<Path> named(@Nullable String flag) {
        return Optional.ofNullable(flag).or(() -> variable("HOLDFAST_CONFIG")).map(here::resolve);
    }

    private Settings files() {
        if (named != null) {
            if (Files.exists(named)) { // otherwise, the error message names it
                notices.add("uses " + named);
            }
            return guarded(named, ConfigFile.read(named));
        }
        Optional<Path> old =
                forgotten ? Optional.empty() : variable("BROKER_CONFIG_PATH").map(here::resolve);
        if (old.isPresent()) {
            ConfigFile.Foreign foreign = ConfigFile.readForeign(old.get());
            String ignored = foreign.ignored().isEmpty()
                    ? ""
                    : " (no effect here: " + String.join(", ", foreign.ignored()) + ")";
            notices.add(
                    foreign.settings().isEmpty()
                            ? "ignores " + old.get() + ", which BROKER_CONFIG_PATH names" + ignored
                            : "uses " + old.get() + ": BROKER_CONFIG_PATH is honoured; use HOLDFAST_CONFIG" + ignored);
            return guarded(old.get(), foreign.settings());
        }
        Optional<FolderConfig> brought =
                Optional.ofNullable(workingFolder).flatMap(folder -> FolderConfig.find(folder, folders));
        return brought.map(this::counted).orElseGet(Settings::new).over(ofTheUser());
    }

    /** Where a setting belongs that the user wants to change: the file that was named, else the user's own. */
    Path settingsFile() {
        return named == null ? own() : named;
    }

    /** The user's settings file, which may not exist. */
    private Path own() {
        return folders.config().resolve("config.json");
    }

    private Settings ofTheUser() {
        Path file = own();
        if (!Files.isRegularFile(file)) {
            return new Settings();
        }
        notices.add("uses " + file);
        return guarded(file, ConfigFile.read(file));
    }

    private Settings guarded(Path file, Settings read) {
        SecretSettings.exposed(file, read).ifPresent(warning -> {
            exposed.add(warning);
            notices.add(warning);
        });
        return heard(file, read).from(file.toString());
    }

    /** What the working folder's file may set; reports the rest to the user. */
    private Settings counted(FolderConfig brought) {
        if (new TrustedSettings(folders).has(brought)) {
            notices.add("uses " + brought.file() + ", which you trust");
            return guarded(brought.file(), brought.settings());
        }
        if (!brought.settings().problems().isEmpty()) {
            notices.addAll(brought.settings().problems());
            notices.add("ignores " + brought.file());
            whyNoPool.add(brought.file() + " cannot be used");
            return new Settings();
        }
        List<String> left = brought.settings().needTrust();
        notices.add("uses " + brought.file()
                + (left.isEmpty()
                        ? ""
                        : " without " + String.join(", ", left) + ", because you have not trusted it; to see these"
                                + " settings and trust them: holdfast trust " + quoted(brought.file())));
        whyNoPool.add(
                brought.settings().hasPool()
                        ? "reviewer_pool in " + brought.file() + " takes effect only once you trust it"
                        : "no reviewer_pool in " + brought.file());
        return brought.settings().harmless().from(brought.file().toString());
    }

    /** Quoted for a shell. */
    private static String quoted(Path file) {
        String path = file.toString();
        return path.matches("[A-Za-z0-9_./-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
