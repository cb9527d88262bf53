package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.ConfigSchema;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.config.Settings.Shown;
import dev.holdfast.broker.config.SettingsHelp;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.claim.Text;
import dev.holdfast.terminal.Columns;
import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code holdfast config}: shows the settings that a broker would start with and where each comes from, lists all
 * settings, and prints their JSON schema.
 */
public final class ConfigCommand {
    static final String HELP = """
            Usage: holdfast config show [--json] [OPTION OF serve]...
                   holdfast config settings [WORD] [--json]
                   holdfast config schema

            'show' prints the settings that 'holdfast serve' would use here, each with where it comes from, and which
            broker this address has or had. With --background: what a hook or 'holdfast mcp --start' would start.
            Where HOLDFAST_URL names another broker, it says so: only that broker's own machine knows its settings.
            'settings' lists everything that can be set, with values, default and meaning, or what has WORD in its name.
            'schema' prints the JSON schema of the configuration file, for editors.

            Examples:
              holdfast config show
              holdfast config show --background --json
              holdfast config settings lease
              holdfast config schema > ~/.config/holdfast/config.schema.json

            Exit codes: 0 shown, 2 wrong arguments or settings.
            """;

    private static final String INDENT = "    ";
    private static final int DONE = 0;
    private static final int WRONG = 2;

    private static final String JSON = "--json";

    private final CommandContext context;
    private final UserFolders folders;
    private final ServeSettings serveSettings;
    private final PrintStream out;

    ConfigCommand(CommandContext context) {
        this.context = context;
        folders = context.folders();
        serveSettings = context.serveSettings();
        out = context.out();
    }

    public static void main(String[] arguments) {
        System.exit(new ConfigCommand(CommandContext.ofThisProcess()).run(List.of(arguments)));
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(HELP);
            return DONE;
        }
        List<String> words = new ArrayList<>(arguments);
        boolean json = words.removeIf(JSON::equals);
        String command = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        if (command.equals("show")) {
            return show(rest, json);
        }
        if (command.equals("settings") && rest.size() <= 1) {
            return settings(rest.isEmpty() ? "" : rest.getFirst(), json);
        }
        if (command.equals("schema") && rest.isEmpty()) {
            out.println(
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(ConfigSchema.document()));
            return DONE;
        }
        return context.fail(
                WRONG,
                List.of("use 'holdfast config show', 'settings' or 'schema'; try: holdfast config --help"),
                json);
    }

    private int settings(String word, boolean json) {
        List<String> lines = SettingsHelp.lines(word);
        if (lines.isEmpty()) {
            return context.fail(WRONG, List.of("no setting has '" + word + "' in its name"), json);
        }
        if (json) {
            out.println(JsonMapper.shared().writeValueAsString(Map.of("settings", SettingsHelp.documents(word))));
        } else {
            int width = context.columns().getAsInt();
            lines.forEach(line -> print(line, width));
        }
        return DONE;
    }

    private int show(List<String> flags, boolean json) {
        try {
            Settings settings = serveSettings.settings(flags);
            Config config = Config.of(settings, serveSettings.workingFolder());
            Optional<BrokerRecord> served = serveSettings.before(config);
            Optional<OtherBroker> other = OtherBroker.of(context.environment(), config, folders.state());
            if (json) {
                out.println(JsonMapper.shared().writeValueAsString(document(settings, config, served, other)));
            } else {
                int width = context.columns().getAsInt();
                lines(settings, config, served, other, width).forEach(line -> print(Text.printable(line), width));
            }
            return DONE;
        } catch (ServeSettings.UsageException | StartException e) {
            return context.fail(WRONG, List.of(String.valueOf(e.getMessage())), json);
        } catch (ConfigException e) {
            return context.fail(WRONG, e.problems(), json);
        } finally {
            serveSettings.notices().forEach(context::complain);
        }
    }

    /** Indents continuation lines. */
    private void print(String line, int width) {
        List<String> lines = line.startsWith(INDENT)
                ? Columns.hanging(INDENT, line.substring(INDENT.length()), width)
                : width == 0 ? List.of(line) : Columns.broken(line, width, "  ");
        lines.forEach(out::println);
    }

    /** Includes a few settings that everybody asks for even if they have their defaults. */
    private static List<Shown> all(Settings settings, Config config) {
        List<Shown> all = new ArrayList<>();
        usual(settings, Setting.HOST, config.server().host()).ifPresent(all::add);
        usual(settings, Setting.PORT, config.server().port()).ifPresent(all::add);
        if (config.store().database() == null) {
            usual(settings, Setting.DATA, config.store().data().toString()).ifPresent(all::add);
        }
        all.addAll(settings.shown());
        return all;
    }

    private static Optional<Shown> usual(Settings settings, Setting setting, Object value) {
        return settings.source(setting).isPresent()
                ? Optional.empty()
                : Optional.of(new Shown(
                        setting.path(), Text.printable(JsonMapper.shared().writeValueAsString(value)), "default"));
    }

    private List<String> lines(
            Settings settings, Config config, Optional<BrokerRecord> served, Optional<OtherBroker> other, int columns) {
        List<String> lines = new ArrayList<>();
        other.ifPresent(another -> {
            lines.add("What 'holdfast serve' would use here. " + another.description());
            lines.add("");
        });
        lines.addAll(table(all(settings, config), columns));
        lines.add("");
        lines.add("state folder: " + folders.state());
        lines.add(served.map(ConfigCommand::described).orElse("no broker has been at this address"));
        return lines;
    }

    /** Each setting with its source: beside it if the terminal is wide enough for all, otherwise below it. */
    private static List<String> table(List<Shown> all, int columns) {
        List<String> names =
                all.stream().map(shown -> shown.path() + " = " + shown.value()).toList();
        int width = names.stream().mapToInt(Columns::of).max().orElse(0);
        int sources =
                all.stream().mapToInt(shown -> Columns.of(shown.source())).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            String source = all.get(i).source();
            if (columns == 0 || width + 2 + sources <= columns) {
                lines.add(names.get(i) + " ".repeat(width - Columns.of(names.get(i)) + 2) + source);
            } else {
                lines.add(names.get(i));
                lines.add(INDENT + source);
            }
        }
        return lines;
    }

    /** Describes the broker that is or was at its address. */
    static String described(BrokerRecord served) {
        return served.url()
                + (served.isRunning()
                        ? " has a broker, process " + served.pid() + ", since "
                        : " had a broker, last started ")
                + served.since().truncatedTo(ChronoUnit.SECONDS) + ", with " + served.store();
    }

    private Map<String, @Nullable Object> document(
            Settings settings, Config config, Optional<BrokerRecord> served, Optional<OtherBroker> other) {
        Map<String, Object> values = new LinkedHashMap<>();
        all(settings, config).forEach(shown -> values.put(shown.path(), document(shown)));
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("settings", values);
        document.put("state", folders.state().toString());
        document.put("broker", served.map(ConfigCommand::document).orElse(null));
        other.ifPresent(another -> {
            document.put("other_url", another.url());
            document.put(
                    "other_broker",
                    another.served().map(ConfigCommand::document).orElse(null));
        });
        document.put("notices", serveSettings.notices());
        return document;
    }

    private static Map<String, Object> document(Shown shown) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", shown.source());
        document.put("value", JsonMapper.shared().readTree(shown.value()));
        return document;
    }

    private static Map<String, @Nullable Object> document(BrokerRecord served) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("url", served.url());
        document.put("running", served.isRunning());
        document.put("pid", served.pid());
        document.put("since", served.since().toString());
        document.put("store", served.store());
        document.put("config", served.config() == null ? null : served.config().toString());
        document.put("folder", served.folder() == null ? null : served.folder().toString());
        return document;
    }
}
