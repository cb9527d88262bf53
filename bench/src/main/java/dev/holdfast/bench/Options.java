package dev.holdfast.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line options.
 *
 * @param names of scenarios; empty: all
 * @param warmUp how long each entry runs before it is measured
 * @param charts where to write charts; null: draw none
 * @param from the JSON of an earlier run, to draw without measuring
 * @param max the largest size for {@code growth}
 * @param measured how long each entry is measured in each round, after its warm-up
 */
record Options(
        List<String> names,
        int rounds,
        Duration warmUp,
        Duration measured,
        @Nullable Path json,
        @Nullable Path charts,
        @Nullable Path from,
        int max,
        boolean list,
        boolean help) {

    static final String USAGE = """
            usage: holdfast bench [NAME ...] [--rounds N] [--seconds S] [--warm S] [--json FILE] [--charts DIR]
                   holdfast bench growth [--most N] ...
                   holdfast bench --from FILE --charts DIR
                   holdfast bench --list

            Runs the rows of the performance table (docs/performance.md) beside peers and limits, and prints
            the table. Exit code 1 when a guard was violated: a double grant, a lost or a doubled completion.

              --rounds N    alternating rounds, the medians count (default 3)
              --seconds S   measured time of each entry in each round (default 4)
              --warm S      time of each entry before it is measured (default 3)
              --json FILE   every round, with machine, versions and flags
              --charts DIR  a picture of each row and of each family of growth, as SVG
              --from FILE   draw what an earlier run wrote with --json; nothing is measured
              --most N      the largest size that growth goes to (default 1000000)
              --list        the names, and what each measures
            """;

    static Options parse(List<String> arguments) {
        List<String> names = new ArrayList<>();
        int rounds = 3;
        Duration warmUp = Duration.ofSeconds(3);
        Duration measured = Duration.ofSeconds(4);
        @Nullable Path json = null;
        @Nullable Path charts = null;
        @Nullable Path from = null;
        int max = 1_000_000;
        boolean list = false;
        boolean help = false;
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            switch (argument) {
                case "--rounds" -> rounds = number(argument, 1, rest.hasNext() ? rest.next() : "");
                case "--warm" -> warmUp = Duration.ofSeconds(number(argument, 0, rest.hasNext() ? rest.next() : ""));
                case "--seconds" ->
                    measured = Duration.ofSeconds(number(argument, 1, rest.hasNext() ? rest.next() : ""));
                case "--json" -> json = Path.of(rest.hasNext() ? rest.next() : "");
                case "--charts" -> charts = Path.of(rest.hasNext() ? rest.next() : "");
                case "--from" -> from = Path.of(rest.hasNext() ? rest.next() : "");
                case "--most" -> max = number(argument, 1_000, rest.hasNext() ? rest.next() : "");
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
        if (from != null && charts == null) {
            throw new IllegalArgumentException("--from needs --charts: where to draw");
        }
        return new Options(List.copyOf(names), rounds, warmUp, measured, json, charts, from, max, list, help);
    }

    private static int number(String option, int least, String text) {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) < least) {
            throw new IllegalArgumentException(
                    option + " needs a whole number from " + least + " up, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
