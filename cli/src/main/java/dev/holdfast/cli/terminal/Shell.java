package dev.holdfast.cli.terminal;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A command's environment.
 *
 * @param width the terminal's width; 0 when output goes to a pipe or a file, where nothing is fitted
 * @param folder the folder in which the command was called
 */
public record Shell(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        IntSupplier width,
        InstantSource clock,
        Path folder) {
    /** The user's home: HOME, as for every other program; Java's own value comes from the user database. */
    public Path home() {
        String given = variable("HOME");
        return given != null && Path.of(given).isAbsolute()
                ? Path.of(given)
                : Path.of(System.getProperty("user.home", "."));
    }

    /** Where programs store their settings for this user. */
    public Path configFolder() {
        return folder("XDG_CONFIG_HOME", home().resolve(".config"));
    }

    /** Where programs store their state for this user. */
    public Path stateFolder() {
        return folder("XDG_STATE_HOME", home().resolve(".local").resolve("state"));
    }

    /** A relative path is ignored, as the specification of these variables requires. */
    private Path folder(String variable, Path otherwise) {
        String given = variable(variable);
        return given != null && Path.of(given).isAbsolute() ? Path.of(given) : otherwise;
    }

    /** A variable; an empty one counts as not set. */
    public @Nullable String variable(String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value;
    }
}
