package dev.holdfast.testing;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Programs of the machine that some tests use. */
public final class Programs {
    private Programs() {}

    /** Without it the test is skipped; in CI, which installs it, the test goes on and fails. */
    public static void assumeInstalled(String program, String howToGetIt) {
        assumeThat(System.getenv("CI") != null || onPath(program))
                .as("%s is installed (%s)", program, howToGetIt)
                .isTrue();
    }

    public static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
