package dev.holdfast.broker.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * This user's folders for data and settings, by the conventions of the operating system.
 *
 * @param state what the program itself remembers, such as which files the user trusts
 */
public record UserFolders(Path data, Path config, Path state) {
    public static UserFolders ofThisUser() {
        Map<String, String> environment = System.getenv();
        return of(System.getProperty("os.name", ""), home(environment), environment);
    }

    /**
     * Follows HOME, like every other program; Java's own value comes from the user database, which is wrong under sudo
     * and in containers.
     */
    static Path home(Map<String, String> environment) {
        String given = environment.get("HOME");
        return given != null && Path.of(given).isAbsolute()
                ? Path.of(given)
                : Path.of(System.getProperty("user.home", "."));
    }

    static UserFolders of(String system, Path home, Map<String, String> environment) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            Path support = home.resolve("Library").resolve("Application Support");
            return new UserFolders(
                    support.resolve("holdfast"),
                    xdg(environment, "XDG_CONFIG_HOME", home, ".config"),
                    xdg(environment, "XDG_STATE_HOME", home, ".local/state"));
        }
        if (name.startsWith("windows")) {
            String local = environment.get("LOCALAPPDATA");
            Path folder =
                    local == null || local.isBlank() ? home.resolve("AppData").resolve("Local") : Path.of(local);
            Path own = folder.resolve("holdfast");
            return new UserFolders(own, own, own);
        }
        return new UserFolders(
                xdg(environment, "XDG_DATA_HOME", home, ".local/share"),
                xdg(environment, "XDG_CONFIG_HOME", home, ".config"),
                xdg(environment, "XDG_STATE_HOME", home, ".local/state"));
    }

    private static Path xdg(Map<String, String> environment, String variable, Path home, String otherwise) {
        String given = environment.get(variable);
        // by the XDG specification, a relative path in such a variable is ignored
        Path base = given == null || !Path.of(given).isAbsolute() ? home.resolve(otherwise) : Path.of(given);
        return base.resolve("holdfast");
    }

    /**
     * Expands a path as people write it, with ~ for the home folder, to an absolute one, so that messages show it in
     * full.
     *
     * @throws ConfigException naming the setting, when this cannot be a path
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
