package dev.holdfast.cli.broker;

import dev.holdfast.cli.terminal.Shell;
import java.nio.file.Path;

/** Where this program stores what it must remember between commands. */
public final class StateFolder {
    private StateFolder() {}

    public static Path of(Shell shell) {
        return shell.stateFolder().resolve("holdfast");
    }
}
