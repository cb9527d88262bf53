package dev.holdfast.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Suggests what somebody probably meant by an unknown name. */
public final class ClosestMatch {
    private ClosestMatch() {}

    /**
     * The known name with the fewest typos, if few enough; for a single letter after a dash, the only option that
     * begins with it.
     */
    public static Optional<String> to(String typed, Collection<String> known) {
        if (typed.matches("-[a-z]")) {
            List<String> beginning =
                    known.stream().filter(name -> name.startsWith("-" + typed)).toList();
            return beginning.size() == 1 ? Optional.of(beginning.getFirst()) : Optional.empty();
        }
        int max = Math.max(1, typed.replace("-", "").length() / 3);
        return known.stream()
                .filter(name ->
                        (name.startsWith(typed) && typed.replace("-", "").length() > 1) || distance(typed, name) <= max)
                .min(Comparator.comparingInt((String name) -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** "; did you mean x?", or nothing when none is close. */
    public static String hint(String typed, Collection<String> known) {
        return to(typed, known).map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** The number of letters to add, drop, change or swap with a neighbour, as typos do. */
    private static int distance(String one, String other) {
        int[][] table = new int[one.length() + 1][other.length() + 1];
        for (int row = 0; row <= one.length(); row++) {
            for (int column = 0; column <= other.length(); column++) {
                table[row][column] = row == 0 || column == 0
                        ? row + column
                        : Math.min(
                                table[row - 1][column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1),
                                1 + Math.min(table[row - 1][column], table[row][column - 1]));
                if (row > 1
                        && column > 1
                        && one.charAt(row - 1) == other.charAt(column - 2)
                        && one.charAt(row - 2) == other.charAt(column - 1)) {
                    table[row][column] = Math.min(table[row][column], table[row - 2][column - 2] + 1);
                }
            }
        }
        return table[one.length()][other.length()];
    }
}
