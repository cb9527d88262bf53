package dev.holdfast.broker.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where this user's data and settings are by the habits of the operating system.
 *
 * @param state what the program remembers on its own account, such as which files the user trusts
 */
public record Folders(Path data, Path config, Path state) {
    public static Folders ofThisUser() {
        Map<String, String> environment = System.getenv();
        return of(System.getProperty("os.name", ""), home(environment), environment);
    }

    /** What HOME says, as for every other program; Java by itself asks the list of users, which sudo and containers belie. */
    static Path home(Map<String, String> environment) {
        String given = environment.get("HOME");
        return given != null && Path.of(given).isAbsolute()
                ? Path.of(given)
                : Path.of(System.getProperty("user.home", "."));
    }

    static Folders of(String system, Path home, Map<String, String> environment) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            Path support = home.resolve("Library").resolve("Application Support");
            return new Folders(
                    support.resolve("holdfast"),
                    xdg(environment, "XDG_CONFIG_HOME", home, ".config"),
                    xdg(environment, "XDG_STATE_HOME", home, ".local/state"));
        }
        if (name.startsWith("windows")) {
            String local = environment.get("LOCALAPPDATA");
            Path folder =
                    local == null || local.isBlank() ? home.resolve("AppData").resolve("Local") : Path.of(local);
            Path own = folder.resolve("holdfast");
            return new Folders(own, own, own);
        }
        return new Folders(
                xdg(environment, "XDG_DATA_HOME", home, ".local/share"),
                xdg(environment, "XDG_CONFIG_HOME", home, ".config"),
                xdg(environment, "XDG_STATE_HOME", home, ".local/state"));
    }

    private static Path xdg(Map<String, String> environment, String variable, Path home, String otherwise) {
        String given = environment.get(variable);
        // by its rules, a relative path in such a variable counts as none
        Path base = given == null || !Path.of(given).isAbsolute() ? home.resolve(otherwise) : Path.of(given);
        return base.resolve("holdfast");
    }

    /**
     * A path as people write it, with ~ for the home folder; absolute, so that messages name it in full.
     *
     * @throws ConfigException naming the setting, when no file can be called so
     */
    static Path path(Setting setting, String written) {
        try {
            Path path = written.equals("~") || written.startsWith("~/")
                    ? Path.of(home(System.getenv()) + written.substring(1))
                    : Path.of(written);
            return path.toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new ConfigException(
                    List.of(setting.path() + ": '" + written + "' cannot be a path on this system: " + e.getReason()));
        }
    }
}
