package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Hunk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole change, ready to be read: the riskiest files first.
 *
 * @param problem why it can't be shown as files; then {@code raw} has it as it is
 */
public record ChangeView(List<FileView> files, String problem, String raw) {
    /** A line that is longer is cut: nobody reads it, and it would make the page stand still. */
    private static final int LONGEST = 2_000;

    private static final int CONTEXT = 3;

    /** @param beside old and new in two columns */
    public static ChangeView of(String text, boolean beside) {
        return switch (Diff.parse(text)) {
            case Diff diff -> new ChangeView(files(diff, text, beside), "", "");
            case DiffProblem unreadable -> new ChangeView(List.of(), unreadable.toString(), text);
        };
    }

    public int added() {
        return files.stream().mapToInt(FileView::added).sum();
    }

    public int removed() {
        return files.stream().mapToInt(FileView::removed).sum();
    }

    private static List<FileView> files(Diff diff, String text, boolean beside) {
        List<FileView> files = new ArrayList<>();
        int[] starts = starts(diff, text);
        for (int i = 0; i < diff.files().size(); i++) {
            FileChange file = diff.files().get(i);
            files.add(new FileView(
                    i,
                    file.path(),
                    file.newPath() == null,
                    Risk.of(file.path()),
                    note(file),
                    file.added(),
                    file.removed(),
                    rows(file, beside),
                    starts[i],
                    i + 1 < starts.length ? starts[i + 1] : text.length()));
        }
        files.sort(Comparator.comparingInt(file -> file.risk().rank()));
        return files;
    }

    /** Where each file's part begins; the first has what stands before it, and what can't be told apart is the last one's. */
    private static int[] starts(Diff diff, String text) {
        int[] starts = new int[diff.files().size()];
        int at = 0;
        for (int i = 1; i < starts.length; i++) {
            int next = text.indexOf("\ndiff --git ", at + 1);
            at = next < 0 ? text.length() : next + 1;
            starts[i] = at;
        }
        return starts;
    }

    private static String note(FileChange file) {
        String moved = file.oldPath() != null
                        && file.newPath() != null
                        && !file.oldPath().equals(file.newPath())
                ? file.operation().word() + "d from " + Visible.line(file.oldPath())
                : "";
        String modes = file.oldMode() != null && file.newMode() != null
                ? "mode " + file.oldMode() + " → " + file.newMode()
                : "";
        String whole = switch (file.operation()) {
            case CREATE -> "new";
            case DELETE -> "deleted";
            case MODIFY, RENAME, COPY, MODE_CHANGE -> "";
        };
        String binary = file.binary() == null ? "" : "binary";
        return String.join(
                ", ",
                List.of(whole, moved, modes, binary).stream()
                        .filter(part -> !part.isEmpty())
                        .toList());
    }

    private static List<Row> rows(FileChange file, boolean beside) {
        Syntax syntax = new Syntax(Language.of(file.path()));
        List<Row> rows = new ArrayList<>();
        int next = 1; // the first old line that has not been told of
        int shift = 0;
        List<DiffLine> lines = List.of();
        for (Hunk hunk : file.hunks()) {
            // a side without lines is numbered by the line before it
            int first = hunk.oldStart() + (hunk.oldCount() == 0 ? 1 : 0);
            shift = hunk.newStart() + (hunk.newCount() == 0 ? 1 : 0) - first;
            rows.add(new Row.Head(
                    hunk.section().isBlank()
                            ? "@@ -" + hunk.oldStart() + "," + hunk.oldCount() + " +" + hunk.newStart() + ","
                                    + hunk.newCount() + " @@"
                            : hunk.section().strip(),
                    file.hasPlace() && first > next ? new Gap(next, first - 1, shift) : null));
            lines = hunk.lines();
            lines(lines, syntax, beside, rows);
            next = first + hunk.oldCount();
            shift += hunk.newCount() - hunk.oldCount();
        }
        if (file.hasPlace() && endsInContext(lines)) {
            rows.add(new Row.Head("", new Gap(next, Gap.END, shift)));
        }
        return rows;
    }

    /** Git shows three lines after a change, unless the file has no more. */
    private static boolean endsInContext(List<DiffLine> lines) {
        return lines.size() > CONTEXT
                && lines.subList(lines.size() - CONTEXT, lines.size()).stream()
                        .allMatch(line -> line.kind() == DiffLine.Kind.CONTEXT && !line.noNewline());
    }

    /** A run of removed lines belongs to the run of added ones after it, line by line. */
    private static void lines(List<DiffLine> lines, Syntax syntax, boolean beside, List<Row> rows) {
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
                Row.Line line = line(lines.get(at), syntax, List.of());
                rows.add(beside ? new Row.Pair(line, line) : line);
                at++;
                continue;
            }
            changed(lines.subList(at, removed), lines.subList(removed, added), syntax, beside, rows);
            at = added;
        }
    }

    private static void changed(
            List<DiffLine> gone, List<DiffLine> come, Syntax syntax, boolean beside, List<Row> rows) {
        List<Row.Line> left = new ArrayList<>();
        List<Row.Line> right = new ArrayList<>();
        int both = Math.min(gone.size(), come.size());
        for (int i = 0; i < both; i++) {
            Words.Changed words = Words.between(gone.get(i).text(), come.get(i).text());
            left.add(line(gone.get(i), syntax, words.before()));
            right.add(line(come.get(i), syntax, words.after()));
        }
        gone.subList(both, gone.size()).forEach(line -> left.add(line(line, syntax, List.of())));
        come.subList(both, come.size()).forEach(line -> right.add(line(line, syntax, List.of())));
        if (!beside) {
            rows.addAll(left);
            rows.addAll(right);
            return;
        }
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            rows.add(new Row.Pair(at(left, i), at(right, i)));
        }
    }

    private static Row.@Nullable Line at(List<Row.Line> lines, int i) {
        return i < lines.size() ? lines.get(i) : null;
    }

    /** Lines of a file that the diff leaves out. */
    static List<Row> leftOut(String path, List<String> lines, Gap part, boolean beside) {
        Syntax syntax = new Syntax(Language.of(path));
        List<Row> rows = new ArrayList<>();
        for (int number = part.from(); number <= part.to(); number++) {
            Row.Line line = line(
                    new DiffLine(DiffLine.Kind.CONTEXT, lines.get(number - 1), false, number, number + part.shift()),
                    syntax,
                    List.of());
            rows.add(beside ? new Row.Pair(line, line) : line);
        }
        return rows;
    }

    private static Row.Line line(DiffLine line, Syntax syntax, List<int[]> words) {
        String text = Visible.of(line.text());
        int cut = Math.max(0, text.length() - LONGEST);
        String shown = cut == 0
                ? text
                : text.substring(
                        0, text.offsetByCodePoints(0, Math.min(LONGEST, text.codePointCount(0, text.length()))));
        List<Span> spans = text.equals(line.text()) ? Words.marked(syntax.spans(shown), words) : syntax.spans(shown);
        return switch (line.kind()) {
            case CONTEXT -> new Row.Line("ctx", "", number(line.oldNumber()), number(line.newNumber()), spans, cut);
            case ADDED -> new Row.Line("add", "+", "", number(line.newNumber()), spans, cut);
            case REMOVED -> new Row.Line("del", "−", number(line.oldNumber()), "", spans, cut);
        };
    }

    private static String number(int number) {
        return Integer.toString(number);
    }
}
