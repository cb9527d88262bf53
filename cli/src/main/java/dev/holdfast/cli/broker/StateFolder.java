package dev.holdfast.cli.broker;

import dev.holdfast.cli.terminal.Shell;
import java.nio.file.Path;

/** Where this program keeps what it must remember between two commands. */
public final class StateFolder {
    private StateFolder() {}

    public static Path of(Shell shell) {
        String state = shell.variable("XDG_STATE_HOME");
        Path base = state != null && Path.of(state).isAbsolute()
                ? Path.of(state)
                : shell.home().resolve(".local").resolve("state");
        return base.resolve("holdfast");
    }
}
