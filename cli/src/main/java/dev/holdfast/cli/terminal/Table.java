package dev.holdfast.cli.terminal;

import dev.holdfast.terminal.Columns;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows in aligned columns, one line each. If the terminal is too narrow, the few longest values are shortened first, in
 * any column; then the least important columns are dropped; then values are shortened further. The first column, which
 * identifies a row, comes last. A pipe or file gets everything.
 *
 * @param leastFirst headings of columns that may be dropped, the least important first
 */
public record Table(List<String> headings, List<List<String>> rows, List<String> leastFirst) {
    private static final String GAP = "  ";

    /** A value shortened to this is still useful. */
    private static final int READABLE = 22;

    private static final int MIN = 6;

    public Table(List<String> headings, List<List<String>> rows) {
        this(headings, rows, List.of());
    }

    /** Prints the table, or {@code none} if it has no rows. */
    public void print(Shell shell, PrintStream out, String none) {
        if (rows.isEmpty()) {
            out.println(none);
        } else {
            lines("", shell.width().getAsInt()).forEach(out::println);
        }
    }

    /** @param width the terminal's width; 0: no limit */
    public List<String> lines(String indent, int width) {
        int[][] cells = cellWidths();
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, headings.size()).boxed().toList());
        int room = width == 0 ? Integer.MAX_VALUE : Math.max(1, width - indent.length());
        int[] widths = shrunk(cells, columns, room, READABLE);
        for (String heading : leastFirst) {
            if (whole(widths, columns) <= room) {
                break;
            }
            columns.remove(Integer.valueOf(headings.indexOf(heading))); // unknown (-1): drops nothing
            widths = shrunk(cells, columns, room, READABLE);
        }
        if (whole(widths, columns) > room) {
            widths = shrunk(cells, columns, room, MIN);
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(indent, widths, columns, headings));
        for (List<String> row : rows) {
            lines.add(line(indent, widths, columns, row));
        }
        return lines;
    }

    /** For each column, the widths of its cells including the heading, widest first. */
    private int[][] cellWidths() {
        int[][] widths = new int[headings.size()][];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Stream.concat(
                            Stream.of(headings.get(i)), rows.stream().map(row -> Printable.of(row.get(column))))
                    .map(Columns::of)
                    .sorted(Comparator.reverseOrder())
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        return widths;
    }

    /**
     * Narrows the column in which this cuts the fewest cells, or the widest of several, until everything fits or none
     * is wider than this; the first column only after all others.
     */
    private static int[] shrunk(int[][] cells, List<Integer> columns, int room, int least) {
        int[] widths = Arrays.stream(cells).mapToInt(column -> column[0]).toArray();
        while (whole(widths, columns) > room) {
            int giving = columns.stream()
                    .skip(1)
                    .filter(column -> widths[column] > least)
                    .min(Comparator.<Integer>comparingInt(column -> cut(cells[column], widths[column] - 1))
                            .thenComparingInt(column -> -widths[column]))
                    .orElse(columns.getFirst());
            if (widths[giving] <= least) {
                break;
            }
            widths[giving]--;
        }
        return widths;
    }

    /** How many cells are wider than this. */
    private static int cut(int[] cells, int width) {
        int cut = 0;
        while (cut < cells.length && cells[cut] > width) {
            cut++;
        }
        return cut;
    }

    private static int whole(int[] widths, List<Integer> columns) {
        return columns.stream().mapToInt(column -> widths[column]).sum() + GAP.length() * (columns.size() - 1);
    }

    private static String line(String indent, int[] widths, List<Integer> columns, List<String> row) {
        StringBuilder line = new StringBuilder(indent);
        for (int column : columns) {
            String cell = Printable.shortened(Printable.of(row.get(column)), widths[column]);
            line.append(cell)
                    .repeat(' ', Math.max(0, widths[column] - Columns.of(cell)))
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
