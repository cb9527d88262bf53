package dev.holdfast.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs on the machine that some tests use. */
public final class Programs {
    private Programs() {}

    /** Skips the test if the program is missing; in CI, which installs it, the test goes on and fails. */
    public static void assumeInstalled(String program, String howToGetIt) {
        if (System.getenv("CI") == null && !onPath(program)) {
            Assumptions.abort(program + " is not installed: " + howToGetIt);
        }
    }

    public static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
