package dev.holdfast.broker.pool.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Where a reviewer's program runs: on this system or, on Windows, inside WSL. */
public sealed interface Platform permits Platform.Native, Wsl {
    /** The command that runs this program there. */
    List<String> argv(List<String> program);

    /** The path of a broker's folder as seen from there. */
    String path(Path folder);

    /** The environment to set so that these variables reach the program. */
    Map<String, String> environment(Map<String, String> variables, Set<String> inherited);

    static boolean isWindows(String system) {
        return system.toLowerCase(Locale.ROOT).startsWith("windows");
    }

    /** This system. */
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
