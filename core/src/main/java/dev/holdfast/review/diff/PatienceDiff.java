package dev.holdfast.review.diff;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Matches the items of two lists in order: a patience diff. Items that occur exactly once in both lists are matched
 * first, so that braces and empty lines do not separate what belongs together; what lies between is then compared
 * exactly.
 *
 * <p>The exact comparison is quadratic, so it has a budget; whatever is left when the budget is spent counts as
 * different. The cost is bounded for any input, and the result is deterministic.
 */
final class PatienceDiff {
    private static final long MAX_CELLS_AT_ONCE = 1_000_000;
    private static final long MAX_CELLS = 20_000_000;
    private static final int DEEPEST = 40;

    private final int[] left;
    private final int[] right;
    private final int[] rightOfLeft;
    private final int[] leftCount;
    private final int[] rightCount;
    private final int[] rightPlace;
    private final Deque<Range> ranges = new ArrayDeque<>();
    private long cells = MAX_CELLS;

    private record Range(int left, int leftEnd, int right, int rightEnd, int depth) {
        boolean isEmpty() {
            return left >= leftEnd || right >= rightEnd;
        }

        long cells() {
            return (long) (leftEnd - left) * (rightEnd - right);
        }
    }

    private PatienceDiff(int[] left, int[] right, int distinct) {
        this.left = left;
        this.right = right;
        this.rightOfLeft = new int[left.length];
        this.leftCount = new int[distinct];
        this.rightCount = new int[distinct];
        this.rightPlace = new int[distinct];
        Arrays.fill(rightOfLeft, -1);
    }

    /** Returns, for each item of the left list, the index of the same item in the right one, or -1. */
    static int[] of(List<?> left, List<?> right) {
        if (left.isEmpty() || right.isEmpty()) {
            int[] nothing = new int[left.size()];
            Arrays.fill(nothing, -1);
            return nothing;
        }
        Map<Object, Integer> numbers = new HashMap<>();
        int[] leftNumbers = numbered(left, numbers);
        int[] rightNumbers = numbered(right, numbers);
        PatienceDiff matching = new PatienceDiff(leftNumbers, rightNumbers, numbers.size());
        matching.ranges.push(new Range(0, left.size(), 0, right.size(), 0));
        while (!matching.ranges.isEmpty()) {
            matching.match(matching.ranges.pop());
        }
        return matching.rightOfLeft;
    }

    private static int[] numbered(List<?> items, Map<Object, Integer> numbers) {
        int[] numbered = new int[items.size()];
        int at = 0;
        for (Object item : items) {
            Integer next = numbers.size();
            Integer known = numbers.putIfAbsent(item, next);
            numbered[at++] = known == null ? next : known;
        }
        return numbered;
    }

    private void match(Range whole) {
        Range range = withoutEqualEnds(whole);
        if (range.isEmpty()) {
            return;
        }
        int[] anchors = range.depth() < DEEPEST ? anchors(range) : new int[0];
        if (anchors.length > 0) {
            int fromLeft = range.left();
            int fromRight = range.right();
            for (int anchor : anchors) {
                ranges.push(new Range(fromLeft, anchor, fromRight, rightOfLeft[anchor], range.depth() + 1));
                fromLeft = anchor + 1;
                fromRight = rightOfLeft[anchor] + 1;
            }
            ranges.push(new Range(fromLeft, range.leftEnd(), fromRight, range.rightEnd(), range.depth() + 1));
        } else if (range.cells() <= MAX_CELLS_AT_ONCE && range.cells() <= cells) {
            cells -= range.cells();
            exactly(range);
        }
    }

    private Range withoutEqualEnds(Range range) {
        int from = range.left();
        int to = range.leftEnd();
        int fromRight = range.right();
        int toRight = range.rightEnd();
        while (from < to && fromRight < toRight && left[from] == right[fromRight]) {
            rightOfLeft[from++] = fromRight++;
        }
        while (from < to && fromRight < toRight && left[to - 1] == right[toRight - 1]) {
            rightOfLeft[--to] = --toRight;
        }
        return new Range(from, to, fromRight, toRight, range.depth());
    }

    /**
     * Matches items that occur once in both ranges, as many as are in the same order; returns them in ascending order.
     */
    private int[] anchors(Range range) {
        for (int at = range.left(); at < range.leftEnd(); at++) {
            leftCount[left[at]]++;
        }
        for (int at = range.right(); at < range.rightEnd(); at++) {
            rightCount[right[at]]++;
            rightPlace[right[at]] = at;
        }
        int[] unique = new int[range.leftEnd() - range.left()];
        int count = 0;
        for (int at = range.left(); at < range.leftEnd(); at++) {
            if (leftCount[left[at]] == 1 && rightCount[left[at]] == 1) {
                unique[count++] = at;
            }
        }
        int[] anchors = longestAscending(Arrays.copyOf(unique, count));
        for (int anchor : anchors) {
            rightOfLeft[anchor] = rightPlace[left[anchor]];
        }
        for (int at = range.left(); at < range.leftEnd(); at++) {
            leftCount[left[at]] = 0;
        }
        for (int at = range.right(); at < range.rightEnd(); at++) {
            rightCount[right[at]] = 0;
        }
        return anchors;
    }

    private int[] longestAscending(int[] items) {
        int[] last = new int[items.length];
        int[] before = new int[items.length];
        int length = 0;
        for (int item = 0; item < items.length; item++) {
            int low = 0;
            int high = length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (rightPlace[left[items[last[middle]]]] < rightPlace[left[items[item]]]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            before[item] = low == 0 ? -1 : last[low - 1];
            last[low] = item;
            length = Math.max(length, low + 1);
        }
        int[] ascending = new int[length];
        int item = length == 0 ? -1 : last[length - 1];
        for (int at = length - 1; at >= 0; at--) {
            ascending[at] = items[item];
            item = before[item];
        }
        return ascending;
    }

    /** The longest common subsequence, computed from the table of its lengths. */
    private void exactly(Range range) {
        int rows = range.leftEnd() - range.left();
        int columns = range.rightEnd() - range.right();
        int[][] longest = new int[rows + 1][columns + 1];
        for (int row = rows - 1; row >= 0; row--) {
            for (int column = columns - 1; column >= 0; column--) {
                longest[row][column] = left[range.left() + row] == right[range.right() + column]
                        ? longest[row + 1][column + 1] + 1
                        : Math.max(longest[row + 1][column], longest[row][column + 1]);
            }
        }
        int row = 0;
        int column = 0;
        while (row < rows && column < columns) {
            if (left[range.left() + row] == right[range.right() + column]) {
                rightOfLeft[range.left() + row++] = range.right() + column++;
            } else if (longest[row + 1][column] >= longest[row][column + 1]) {
                row++;
            } else {
                column++;
            }
        }
    }
}
