package dev.holdfast.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for on the command line.
 *
 * @param names of scenarios; none: all
 * @param measured how long each entry is measured in each round, after its warm-up
 */
record Options(
        List<String> names,
        int rounds,
        Duration measured,
        @Nullable Path json,
        boolean list,
        boolean help) {
    static final Duration WARM_UP = Duration.ofSeconds(3);

    static final String USAGE = """
            usage: holdfast bench [NAME ...] [--rounds N] [--seconds S] [--json FILE] [--list]

            Runs the rows of the performance table (docs/performance.md) beside peers and limits, and prints
            the table. Exit code 1 when a guard was violated: a double grant, a lost or a doubled completion.

              --rounds N    alternating rounds, the medians count (default 3)
              --seconds S   measured time of each entry in each round (default 4)
              --json FILE   every round, with machine, versions and flags
              --list        the names, and what each measures
            """;

    static Options parse(List<String> arguments) {
        List<String> names = new ArrayList<>();
        int rounds = 3;
        Duration measured = Duration.ofSeconds(4);
        @Nullable Path json = null;
        boolean list = false;
        boolean help = false;
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            switch (argument) {
                case "--rounds" -> rounds = positive(argument, rest.hasNext() ? rest.next() : "");
                case "--seconds" ->
                    measured = Duration.ofSeconds(positive(argument, rest.hasNext() ? rest.next() : ""));
                case "--json" -> json = Path.of(rest.hasNext() ? rest.next() : "");
                case "--list" -> list = true;
                case "--help", "-h" -> help = true;
                default -> {
                    if (argument.startsWith("-")) {
                        throw new IllegalArgumentException("unknown option " + argument);
                    }
                    names.add(argument);
                }
            }
        }
        return new Options(List.copyOf(names), rounds, measured, json, list, help);
    }

    private static int positive(String option, String text) {
        if (!text.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException(option + " needs a whole number from 1 up, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
