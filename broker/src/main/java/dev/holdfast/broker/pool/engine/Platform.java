package dev.holdfast.broker.pool.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Where a reviewer's program runs: on this system, or, on Windows, inside a Linux of its own. */
public sealed interface Platform permits Platform.Native, Wsl {
    /** The words that start this program there. */
    List<String> argv(List<String> program);

    /** The name of the broker's folder there. */
    String path(Path folder);

    /** What must stand in the environment so that these variables reach the program. */
    Map<String, String> environment(Map<String, String> variables, Set<String> inherited);

    static boolean isWindows(String system) {
        return system.toLowerCase(Locale.ROOT).startsWith("windows");
    }

    /** This very system. */
    record Native() implements Platform {
        @Override
        public List<String> argv(List<String> program) {
            return program;
        }

        @Override
        public String path(Path folder) {
            return folder.toString();
        }

        @Override
        public Map<String, String> environment(Map<String, String> variables, Set<String> inherited) {
            return variables;
        }
    }
}
