package dev.holdfast.cli.terminal;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a command sees of the world around it.
 *
 * @param width columns of the terminal; 0 when output goes into a pipe or a file, where nothing is fitted to any width
 * @param folder that the command was called in
 */
public record Shell(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        IntSupplier width,
        InstantSource clock,
        Path folder) {
    /** The user's home: what HOME says, as for every other program; Java by itself asks the list of users. */
    public Path home() {
        String given = variable("HOME");
        return given != null && Path.of(given).isAbsolute()
                ? Path.of(given)
                : Path.of(System.getProperty("user.home", "."));
    }

    /** Where programs keep their settings for this user. */
    public Path configFolder() {
        return folder("XDG_CONFIG_HOME", home().resolve(".config"));
    }

    /** Where programs keep what they must remember for this user. */
    public Path stateFolder() {
        return folder("XDG_STATE_HOME", home().resolve(".local").resolve("state"));
    }

    /** A relative one counts as none, as the specification of these variables says. */
    private Path folder(String variable, Path otherwise) {
        String given = variable(variable);
        return given != null && Path.of(given).isAbsolute() ? Path.of(given) : otherwise;
    }

    /** A variable; one that is set to nothing counts as not set. */
    public @Nullable String variable(String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value;
    }
}
