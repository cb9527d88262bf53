package dev.holdfast.broker.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests what somebody probably meant by an unknown name. */
public final class ClosestMatch {
    private ClosestMatch() {}

    /** The known name with the smallest edit distance, if small enough to be a typo. */
    public static Optional<String> to(String written, Collection<String> known) {
        int max = Math.max(2, written.length() / 3);
        return known.stream()
                .filter(name -> distance(written, name) <= max)
                .min(Comparator.comparingInt((String name) -> distance(written, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** " (did you mean x?)", or the known names when none is close. */
    public static String hint(String written, Collection<String> known) {
        return to(written, known)
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> known.isEmpty() ? "there are none" : "known: " + String.join(", ", known));
    }

    /** The Levenshtein distance, with two rows of the matrix. */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int replaced = above[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(above[column], current[column - 1]));
            }
            above = current;
        }
        return above[other.length()];
    }
}
