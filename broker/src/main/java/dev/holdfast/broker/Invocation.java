package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigFile;
import dev.holdfast.broker.config.Folders;
import dev.holdfast.broker.config.Nearest;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How {@code serve} was called: flags beat the environment, which beats the configuration file. */
final class Invocation {
    static final String HELP = """
            Usage: holdfast serve [--host H] [--port 8321] [--data DIR] [--database URL] [--config FILE]

            Starts the broker. Prints one line when it answers; SIGTERM or Ctrl-C stops it cleanly.

              --host H         the address to listen on (127.0.0.1); others need tokens
              --port N         the port (8321); 0 picks a free one
              --data DIR       the folder of the SQLite store (the user's data folder)
              --database URL   PostgreSQL instead: postgres://user:password@host:5432/database
              --config FILE    settings (.holdfast/config.json here, or config.json in the user's config folder)
              --help           this text

            Environment: HOLDFAST_DATA, HOLDFAST_DATABASE, HOLDFAST_CONFIG. Flags count more than the
            environment, and that more than the settings file.

            Examples:
              holdfast serve
              holdfast serve --port 0 --data /tmp/try-it
              HOLDFAST_DATABASE=postgres://holdfast:secret@db.example:5432/holdfast holdfast serve

            Exit codes: 0 stopped, 1 cannot start, 2 called or configured wrongly.
            """;

    private static final Map<String, Optional<Setting>> FLAGS = flags();

    private final Map<String, String> environment;
    private final Path workingFolder;
    private final Folders folders;
    private final List<String> notices = new ArrayList<>();

    Invocation(Map<String, String> environment, Path workingFolder, Folders folders) {
        this.environment = environment;
        this.workingFolder = workingFolder;
        this.folders = folders;
    }

    /** The flags were not understood. */
    static final class UsageException extends RuntimeException {
        UsageException(String message) {
            super(message);
        }
    }

    /** What the user should be told, though it stops nothing. */
    List<String> notices() {
        return List.copyOf(notices);
    }

    Config config(List<String> arguments) {
        Map<String, String> given = parse(arguments);
        Settings flags = new Settings();
        given.forEach((flag, value) ->
                FLAGS.getOrDefault(flag, Optional.empty()).ifPresent(setting -> flags.put(setting, value, flag)));
        if (!flags.problems().isEmpty()) {
            throw new UsageException(String.join("\n", flags.problems()));
        }
        return Config.of(flags.over(environment()).over(file(given.get("--config"))));
    }

    private static Map<String, Optional<Setting>> flags() {
        Map<String, Optional<Setting>> flags = new LinkedHashMap<>();
        flags.put("--host", Optional.of(Setting.HOST));
        flags.put("--port", Optional.of(Setting.PORT));
        flags.put("--data", Optional.of(Setting.DATA));
        flags.put("--database", Optional.of(Setting.DATABASE));
        flags.put("--config", Optional.empty());
        return flags;
    }

    private static Map<String, String> parse(List<String> arguments) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            if (!FLAGS.containsKey(flag)) {
                throw new UsageException("unknown argument " + flag + "; " + Nearest.hint(flag, FLAGS.keySet()));
            }
            if (equals < 0 && i + 1 == arguments.size()) {
                throw new UsageException(flag + " needs a value");
            }
            if (given.put(flag, equals < 0 ? arguments.get(++i) : argument.substring(equals + 1)) != null) {
                throw new UsageException(flag + " is given twice");
            }
        }
        return given;
    }

    private Settings environment() {
        Settings settings = new Settings();
        variable("HOLDFAST_DATA").ifPresent(value -> settings.put(Setting.DATA, value, "HOLDFAST_DATA"));
        variable("HOLDFAST_DATABASE").ifPresent(value -> settings.put(Setting.DATABASE, value, "HOLDFAST_DATABASE"));
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
        return settings.over(old);
    }

    private Settings file(@Nullable String flag) {
        Optional<Path> named =
                Optional.ofNullable(flag).or(() -> variable("HOLDFAST_CONFIG")).map(workingFolder::resolve);
        if (named.isPresent()) {
            return ConfigFile.read(named.get());
        }
        Optional<Path> old = variable("BROKER_CONFIG_PATH").map(workingFolder::resolve);
        if (old.isPresent()) {
            ConfigFile.Foreign foreign = ConfigFile.readForeign(old.get());
            notices.add("BROKER_CONFIG_PATH is honoured; use HOLDFAST_CONFIG"
                    + (foreign.ignored().isEmpty()
                            ? ""
                            : " (without meaning here: " + String.join(", ", foreign.ignored()) + ")"));
            return foreign.settings();
        }
        return ConfigFile.find(workingFolder, folders).map(ConfigFile::read).orElseGet(this::predecessorsPool);
    }

    private Settings predecessorsPool() {
        Path file = workingFolder.resolve(".planning").resolve("config.json");
        if (!Files.isRegularFile(file)) {
            return new Settings();
        }
        notices.add("the reviewer_pool of " + file + " is honoured, since there is no .holdfast/config.json");
        return ConfigFile.readPool(file);
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
