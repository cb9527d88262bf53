package dev.holdfast.broker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells somebody who has just started a broker in a terminal what to do next. */
final class NextSteps {
    private static final String DEFAULT_URL = "http://127.0.0.1:8321";
    private static final String NAME = "holdfast";

    private NextSteps() {}

    /** @param program the command that runs Holdfast */
    static List<String> of(String url, String program) {
        List<String> lines = new ArrayList<>();
        lines.add("Next, in another terminal:");
        if (!url.equals(DEFAULT_URL)) {
            lines.add("  export HOLDFAST_URL=" + url + "    # so that commands find this broker");
        }
        lines.add("  cd YOUR-REPOSITORY && " + program + " init");
        lines.add("      sets up its coding agents, the gate for commits, and instructions; asks before it writes");
        lines.add("  " + program + " status");
        lines.add("      shows who you are, what you hold and what waits for you");
        lines.add("  " + program + " open");
        lines.add("      opens the dashboard, " + url + "/");
        lines.add(
                "'" + program + " help' lists all commands. Ctrl-C stops the broker; claims and everything else stay.");
        return lines;
    }

    /**
     * The command to type: just its name if the PATH leads to this program, otherwise its full path.
     *
     * @param launcher null: not started by a launcher
     */
    static String program(@Nullable String launcher, Map<String, String> environment) {
        if (launcher == null) {
            return NAME;
        }
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            try {
                Path file = Path.of(folder).resolve(NAME);
                if (file.isAbsolute() && Files.exists(file) && Files.isSameFile(file, Path.of(launcher))) {
                    return NAME;
                }
            } catch (InvalidPathException | IOException another) {
                // try the next folder
            }
        }
        return launcher;
    }
}
