package dev.holdfast.cli;

import java.nio.file.Path;

/** Where this program keeps what it must remember between two commands. */
final class StateFolder {
    private StateFolder() {}

    static Path of(Shell shell) {
        String state = shell.variable("XDG_STATE_HOME");
        Path base = state != null && Path.of(state).isAbsolute()
                ? Path.of(state)
                : shell.home().resolve(".local").resolve("state");
        return base.resolve("holdfast");
    }
}
