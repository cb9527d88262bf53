package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.ConfigSchema;
import dev.holdfast.broker.config.Folders;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.config.Settings.Shown;
import dev.holdfast.broker.config.SettingsHelp;
import dev.holdfast.claim.Text;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code holdfast config}: which settings a broker would start with, and which file each comes from; which there are; and
 * their JSON schema.
 */
public final class ShowConfig {
    static final String HELP = """
            Usage: holdfast config show [--json] [OPTION OF serve]...
                   holdfast config settings [WORD]
                   holdfast config schema

            'show' prints the settings that 'holdfast serve' would use here, each with where it comes from, and which
            broker this address has or had. With --background: what a hook or 'holdfast mcp --start' would start.
            'settings' lists everything that can be set, with values, default and meaning, or what has WORD in its name.
            'schema' prints the JSON schema of the configuration file, for editors.

            Examples:
              holdfast config show
              holdfast config show --background --json
              holdfast config settings lease
              holdfast config schema > ~/.config/holdfast/config.schema.json

            Exit codes: 0 shown, 2 wrong arguments or settings.
            """;

    private static final int DONE = 0;
    private static final int WRONG = 2;

    private final Folders folders;
    private final Invocation invocation;
    private final PrintStream out;
    private final PrintStream err;

    ShowConfig(Map<String, String> environment, Path here, Folders folders, PrintStream out, PrintStream err) {
        this.folders = folders;
        this.invocation = new Invocation(environment, here, folders);
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(new ShowConfig(System.getenv(), Path.of("").toAbsolutePath(), Folders.ofThisUser(), out, System.err)
                .run(List.of(arguments)));
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(HELP);
            return DONE;
        }
        String command = arguments.isEmpty() ? "" : arguments.getFirst();
        List<String> rest = arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        if (command.equals("show")) {
            return show(rest);
        }
        if (command.equals("settings") && rest.size() <= 1) {
            return settings(rest.isEmpty() ? "" : rest.getFirst());
        }
        if (command.equals("schema") && rest.isEmpty()) {
            out.println(
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(ConfigSchema.document()));
            return DONE;
        }
        err.println("holdfast config: say 'holdfast config show', 'settings' or 'schema'\nTry: holdfast config --help");
        return WRONG;
    }

    private int settings(String word) {
        List<String> lines = SettingsHelp.lines(word);
        if (lines.isEmpty()) {
            err.println("holdfast config: no setting has '" + Text.printable(word) + "' in its name");
            return WRONG;
        }
        lines.forEach(out::println);
        return DONE;
    }

    private int show(List<String> arguments) {
        List<String> flags = new ArrayList<>(arguments);
        boolean json = flags.remove("--json");
        try {
            Settings settings = invocation.settings(flags);
            Config config = Config.of(settings, invocation.workingFolder());
            Optional<Served> served = invocation.before(config);
            if (json) {
                out.println(JsonMapper.shared().writeValueAsString(document(settings, config, served)));
            } else {
                lines(settings, config, served).forEach(line -> out.println(Text.printable(line)));
            }
            return DONE;
        } catch (Invocation.UsageException | StartException e) {
            err.println("holdfast config: " + e.getMessage());
        } catch (ConfigException e) {
            e.problems().forEach(problem -> err.println("holdfast: " + Text.printable(problem)));
        } finally {
            invocation.notices().forEach(notice -> err.println("holdfast: " + Text.printable(notice)));
        }
        return WRONG;
    }

    /** With the few settings that everybody asks for, also where they have their defaults. */
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

    private List<String> lines(Settings settings, Config config, Optional<Served> served) {
        List<Shown> all = all(settings, config);
        int width = all.stream()
                .mapToInt(shown -> shown.path().length() + shown.value().length() + 3)
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        all.forEach(shown -> lines.add(
                String.format("%-" + (width + 1) + "s %s", shown.path() + " = " + shown.value(), shown.source())));
        lines.add("");
        lines.add("state folder: " + folders.state());
        lines.add(served.map(other -> other.url()
                        + (other.isRunning()
                                ? " is a broker's, process " + other.pid() + ", since "
                                : " had a broker, last started ")
                        + other.since() + ", with " + other.store())
                .orElse("no broker has been at this address"));
        return lines;
    }

    private Map<String, @Nullable Object> document(Settings settings, Config config, Optional<Served> served) {
        Map<String, Object> values = new LinkedHashMap<>();
        all(settings, config).forEach(shown -> values.put(shown.path(), document(shown)));
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("settings", values);
        document.put("state", folders.state().toString());
        document.put("broker", served.map(ShowConfig::document).orElse(null));
        document.put("notices", invocation.notices());
        return document;
    }

    private static Map<String, Object> document(Shown shown) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", shown.source());
        document.put("value", JsonMapper.shared().readTree(shown.value()));
        return document;
    }

    private static Map<String, @Nullable Object> document(Served served) {
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
