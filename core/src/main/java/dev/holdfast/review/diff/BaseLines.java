package dev.holdfast.review.diff;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the base that two diffs of a file both show. Rounds usually have the same base; then lines are matched
 * by number. If the numbers contradict the lines, or many more lines match without them, the base has changed between
 * the rounds, and lines are matched by text.
 */
final class BaseLines {
    /** This many lines may match by chance: empty lines, braces. */
    private static final int CHANCE = 3;

    private final boolean sameBase;
    private final int[] afterOfBefore;

    private BaseLines(boolean sameBase, int[] afterOfBefore) {
        this.sameBase = sameBase;
        this.afterOfBefore = afterOfBefore;
    }

    boolean sameBase() {
        return sameBase;
    }

    /** For each line of the earlier diff, the index of the same base line in the later one, or -1. */
    int[] afterOfBefore() {
        return afterOfBefore;
    }

    static BaseLines of(List<DiffLine> before, List<DiffLine> after) {
        int[] left = places(before);
        int[] right = places(after);
        int[] byText = PatienceDiff.of(contents(before, left), contents(after, right));
        int[] byNumber = byNumber(before, left, after, right);
        boolean sameBase = byNumber != null && !explainsMore(byText, byNumber, Math.min(left.length, right.length));
        int[] chosen = sameBase ? Objects.requireNonNull(byNumber) : byText;
        int[] afterOfBefore = new int[before.size()];
        Arrays.fill(afterOfBefore, -1);
        for (int at = 0; at < chosen.length; at++) {
            if (chosen[at] >= 0) {
                afterOfBefore[left[at]] = right[chosen[at]];
            }
        }
        return new BaseLines(sameBase, afterOfBefore);
    }

    private static boolean explainsMore(int[] byText, int[] byNumber, int max) {
        int hidden = max - count(byNumber);
        return count(byText) > count(byNumber) + Math.max(CHANCE, hidden / 2);
    }

    private static int[] places(List<DiffLine> lines) {
        return IntStream.range(0, lines.size())
                .filter(at -> lines.get(at).kind().isOn(Side.OLD))
                .toArray();
    }

    private static List<DiffLine.Content> contents(List<DiffLine> lines, int[] places) {
        return IntStream.of(places).mapToObj(at -> lines.get(at).content()).toList();
    }

    private static int count(int[] matched) {
        return (int) IntStream.of(matched).filter(at -> at >= 0).count();
    }

    /** Null if one number stands for two different lines, or if numbers go backwards, as in a series of patches. */
    private static int @Nullable [] byNumber(List<DiffLine> before, int[] left, List<DiffLine> after, int[] right) {
        if (!ascends(before, left) || !ascends(after, right)) {
            return null;
        }
        int[] matched = new int[left.length];
        Arrays.fill(matched, -1);
        int at = 0;
        int other = 0;
        while (at < left.length && other < right.length) {
            DiffLine earlier = before.get(left[at]);
            DiffLine later = after.get(right[other]);
            if (earlier.oldNumber() < later.oldNumber()) {
                at++;
            } else if (earlier.oldNumber() > later.oldNumber()) {
                other++;
            } else if (earlier.content().equals(later.content())) {
                matched[at++] = other++;
            } else {
                return null;
            }
        }
        return matched;
    }

    private static boolean ascends(List<DiffLine> lines, int[] places) {
        return IntStream.range(1, places.length)
                .allMatch(at -> lines.get(places[at - 1]).oldNumber()
                        < lines.get(places[at]).oldNumber());
    }
}
