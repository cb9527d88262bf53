package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Hunk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a file, with syntax colours and the words that changed. */
final class Rows {
    /** Longer lines are cut: nobody reads them, and they would freeze the page. */
    static final int LONGEST = 2_000;

    private static final int CONTEXT = 3;

    /** Its text comes from the style sheet, so that copying a line copies only code. */
    private static final Span NO_NEWLINE = new Span("no-newline", "");

    private Rows() {}

    /** @param longest how many characters of a line are shown */
    static List<DiffRow> of(FileChange file, boolean beside, int longest) {
        Look look = new Look(new Syntax(Language.of(file.path())), longest);
        List<DiffRow> rows = new ArrayList<>();
        int next = 1; // the first old line that has not been shown
        int shift = 0;
        List<DiffLine> lines = List.of();
        for (Hunk hunk : file.hunks()) {
            // a side without lines is numbered by the line before it
            int first = hunk.oldStart() + (hunk.oldCount() == 0 ? 1 : 0);
            shift = hunk.newStart() + (hunk.newCount() == 0 ? 1 : 0) - first;
            rows.add(new DiffRow.Head(
                    hunk.section().isBlank()
                            ? "@@ -" + hunk.oldStart() + "," + hunk.oldCount() + " +" + hunk.newStart() + ","
                                    + hunk.newCount() + " @@"
                            : hunk.section().strip(),
                    file.hasPlace() && first > next ? new Gap(next, first - 1, shift) : null));
            lines = hunk.lines();
            lines(lines, look, beside, rows);
            next = first + hunk.oldCount();
            shift += hunk.newCount() - hunk.oldCount();
        }
        if (file.hasPlace() && endsInContext(lines)) {
            rows.add(new DiffRow.Head("", new Gap(next, Gap.END, shift)));
        }
        return rows;
    }

    /** Git shows three lines of context after a change, unless the file ends before that. */
    private static boolean endsInContext(List<DiffLine> lines) {
        return lines.size() > CONTEXT
                && lines.subList(lines.size() - CONTEXT, lines.size()).stream()
                        .allMatch(line -> line.kind() == DiffLine.Kind.CONTEXT && !line.noNewline());
    }

    /** Pairs each run of removed lines with the run of added lines after it, line by line. */
    private static void lines(List<DiffLine> lines, Look look, boolean beside, List<DiffRow> rows) {
        int at = 0;
        while (at < lines.size()) {
            int removed = at;
            while (removed < lines.size() && lines.get(removed).kind() == DiffLine.Kind.REMOVED) {
                removed++;
            }
            int added = removed;
            while (added < lines.size() && lines.get(added).kind() == DiffLine.Kind.ADDED) {
                added++;
            }
            if (added == at) {
                DiffRow.Line line = look.line(lines.get(at), List.of());
                rows.add(beside ? new DiffRow.Pair(line, line) : line);
                at++;
                continue;
            }
            changed(lines.subList(at, removed), lines.subList(removed, added), look, beside, rows);
            at = added;
        }
    }

    private static void changed(
            List<DiffLine> gone, List<DiffLine> come, Look look, boolean beside, List<DiffRow> rows) {
        List<DiffRow.Line> left = new ArrayList<>();
        List<DiffRow.Line> right = new ArrayList<>();
        int both = Math.min(gone.size(), come.size());
        for (int i = 0; i < both; i++) {
            Words.Changed words = Words.between(gone.get(i).text(), come.get(i).text());
            left.add(look.line(gone.get(i), words.before()));
            right.add(look.line(come.get(i), words.after()));
        }
        gone.subList(both, gone.size()).forEach(line -> left.add(look.line(line, List.of())));
        come.subList(both, come.size()).forEach(line -> right.add(look.line(line, List.of())));
        if (!beside) {
            rows.addAll(left);
            rows.addAll(right);
            return;
        }
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            rows.add(new DiffRow.Pair(at(left, i), at(right, i)));
        }
    }

    private static DiffRow.@Nullable Line at(List<DiffRow.Line> lines, int i) {
        return i < lines.size() ? lines.get(i) : null;
    }

    /** Lines of a file that the diff leaves out. */
    static List<DiffRow> leftOut(String path, List<String> lines, Gap part, boolean beside) {
        Look look = new Look(new Syntax(Language.of(path)), LONGEST);
        List<DiffRow> rows = new ArrayList<>();
        for (int number = part.from(); number <= part.to(); number++) {
            DiffRow.Line line = look.line(
                    new DiffLine(DiffLine.Kind.CONTEXT, lines.get(number - 1), false, number, number + part.shift()),
                    List.of());
            rows.add(beside ? new DiffRow.Pair(line, line) : line);
        }
        return rows;
    }

    static boolean isCut(String line, int longest) {
        return VisibleText.of(line).length() > longest;
    }

    /** How lines are shown: in colours, up to {@code longest} characters. */
    private record Look(Syntax syntax, int longest) {
        /**
         * Colours a line only up to the length at which lines are usually cut: colouring a million words would freeze
         * the page.
         */
        private List<Span> coloured(String text) {
            if (text.length() <= LONGEST) {
                return syntax.spans(text);
            }
            int end = text.offsetByCodePoints(0, Math.min(LONGEST, text.codePointCount(0, text.length())));
            List<Span> spans = new ArrayList<>(syntax.spans(text.substring(0, end)));
            spans.add(new Span("", text.substring(end)));
            return spans;
        }

        DiffRow.Line line(DiffLine line, List<int[]> words) {
            String text = VisibleText.of(line.text());
            int cut = Math.max(0, text.length() - longest);
            String shown = cut == 0
                    ? text
                    : text.substring(
                            0, text.offsetByCodePoints(0, Math.min(longest, text.codePointCount(0, text.length()))));
            List<Span> spans =
                    new ArrayList<>(text.equals(line.text()) ? Words.marked(coloured(shown), words) : coloured(shown));
            if (line.noNewline()) {
                spans.add(NO_NEWLINE);
            }
            return switch (line.kind()) {
                case CONTEXT ->
                    new DiffRow.Line("ctx", "", number(line.oldNumber()), number(line.newNumber()), spans, cut);
                case ADDED -> new DiffRow.Line("add", "+", "", number(line.newNumber()), spans, cut);
                case REMOVED -> new DiffRow.Line("del", "−", number(line.oldNumber()), "", spans, cut);
            };
        }
    }

    private static String number(int number) {
        return Integer.toString(number);
    }
}
