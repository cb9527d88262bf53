package dev.holdfast.broker.dashboard.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words that differ between a line and its replacement. They are marked only if the two lines are at least half
 * alike.
 */
final class Words {
    private static final Pattern WORD = Pattern.compile("\\w+|\\s+|[^\\w\\s]");
    private static final int MAX = 300;

    /** What differs in each of the two lines, as character ranges. */
    record Changed(List<int[]> before, List<int[]> after) {
        static final Changed NOTHING = new Changed(List.of(), List.of());
    }

    private Words() {}

    static Changed between(String before, String after) {
        List<String> left = split(before);
        List<String> right = split(after);
        if (left.size() > MAX || right.size() > MAX || before.equals(after)) {
            return Changed.NOTHING;
        }
        int[][] common = new int[left.size() + 1][right.size() + 1];
        for (int i = left.size() - 1; i >= 0; i--) {
            for (int j = right.size() - 1; j >= 0; j--) {
                common[i][j] = left.get(i).equals(right.get(j))
                        ? common[i + 1][j + 1] + left.get(i).strip().length()
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int longer = Math.max(letters(before), letters(after));
        if (common[0][0] * 2 < longer) {
            return Changed.NOTHING;
        }
        List<int[]> gone = new ArrayList<>();
        List<int[]> come = new ArrayList<>();
        int i = 0;
        int j = 0;
        int from = 0;
        int to = 0;
        while (i < left.size() || j < right.size()) {
            if (i < left.size() && j < right.size() && left.get(i).equals(right.get(j))) {
                from += left.get(i++).length();
                to += right.get(j++).length();
            } else if (j >= right.size() || (i < left.size() && common[i + 1][j] >= common[i][j + 1])) {
                from = add(gone, from, left.get(i++).length());
            } else {
                to = add(come, to, right.get(j++).length());
            }
        }
        return new Changed(gone, come);
    }

    private static int add(List<int[]> ranges, int at, int length) {
        if (!ranges.isEmpty() && ranges.getLast()[1] == at) {
            ranges.getLast()[1] = at + length;
        } else {
            ranges.add(new int[] {at, at + length});
        }
        return at + length;
    }

    private static int letters(String line) {
        return (int) line.chars().filter(c -> !Character.isWhitespace(c)).count();
    }

    private static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find() && words.size() <= MAX) {
            words.add(matcher.group());
        }
        return words;
    }

    /** The same spans, with these ranges marked. */
    static List<Span> marked(List<Span> spans, List<int[]> ranges) {
        if (ranges.isEmpty()) {
            return spans;
        }
        List<Span> marked = new ArrayList<>();
        int at = 0;
        for (Span span : spans) {
            int end = at + span.text().length();
            int from = at;
            for (int[] range : ranges) {
                int first = Math.max(from, range[0]);
                int last = Math.min(end, range[1]);
                if (first < last) {
                    cut(marked, span, from - at, first - at, false);
                    cut(marked, span, first - at, last - at, true);
                    from = last;
                }
            }
            cut(marked, span, from - at, end - at, false);
            at = end;
        }
        return marked;
    }

    private static void cut(List<Span> into, Span span, int from, int to, boolean mark) {
        if (from < to) {
            into.add(new Span(
                    mark ? (span.look() + " w").strip() : span.look(),
                    span.text().substring(from, to)));
        }
    }
}
