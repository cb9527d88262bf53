package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.List;

/**
 * Maps the lines of one round's diff of a file to the lines of the next round's. Lines of the base are matched first,
 * because their order is fixed. If the base has changed, one round may add what the other already finds in the base, so
 * lines of equal text in between are matched whether they are added, removed or context.
 */
final class Alignment {
    private final boolean sameBase;
    private final int[] afterOfBefore;

    private Alignment(boolean sameBase, int[] afterOfBefore) {
        this.sameBase = sameBase;
        this.afterOfBefore = afterOfBefore;
    }

    static Alignment of(List<DiffLine> before, List<DiffLine> after) {
        BaseLines base = BaseLines.of(before, after);
        int[] matched = base.afterOfBefore();
        if (!base.sameBase()) {
            List<DiffLine.Content> left = before.stream().map(DiffLine::content).toList();
            List<DiffLine.Content> right = after.stream().map(DiffLine::content).toList();
            for (Gap gap : gaps(matched, after.size())) {
                int[] inGap = PatienceDiff.of(
                        left.subList(gap.before(), gap.beforeEnd()), right.subList(gap.after(), gap.afterEnd()));
                for (int at = 0; at < inGap.length; at++) {
                    matched[gap.before() + at] = inGap[at] < 0 ? -1 : gap.after() + inGap[at];
                }
            }
        }
        return new Alignment(base.sameBase(), matched);
    }

    /** Whether both rounds are based on the same content, as far as the diffs show. */
    boolean isSameBase() {
        return sameBase;
    }

    /** The gaps between matched lines, and the one after the last; many are empty. */
    List<Gap> gaps(int afterSize) {
        return gaps(afterOfBefore, afterSize);
    }

    private static List<Gap> gaps(int[] matched, int afterSize) {
        List<Gap> gaps = new ArrayList<>();
        int before = 0;
        int after = 0;
        for (int at = 0; at < matched.length; at++) {
            if (matched[at] >= 0) {
                gaps.add(new Gap(before, at, after, matched[at]));
                before = at + 1;
                after = matched[at] + 1;
            }
        }
        gaps.add(new Gap(before, matched.length, after, afterSize));
        return gaps;
    }

    /** Lines of both diffs between two matched lines. */
    record Gap(int before, int beforeEnd, int after, int afterEnd) {}
}
