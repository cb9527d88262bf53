package dev.holdfast.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows in aligned columns, one line each. Where the terminal is too narrow, long values are shortened first, then the columns that
 * matter least go, then values are shortened further; the first column, by which a row is named, comes last. A pipe or file gets
 * everything.
 *
 * @param leastFirst headings of columns that may go, the one that matters least first
 */
public record Table(List<String> headings, List<List<String>> rows, List<String> leastFirst) {
    private static final String GAP = "  ";

    /** A shortened value still tells something. */
    private static final int READABLE = 20;

    private static final int LEAST = 6;

    public Table(List<String> headings, List<List<String>> rows) {
        this(headings, rows, List.of());
    }

    /** @param width columns of the terminal, 0 for no limit */
    public List<String> lines(String indent, int width) {
        int[] natural = naturalWidths();
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, headings.size()).boxed().toList());
        int room = width == 0 ? Integer.MAX_VALUE : Math.max(1, width - indent.length());
        int[] widths = shrunk(natural, columns, room, READABLE);
        for (String heading : leastFirst) {
            if (whole(widths, columns) <= room) {
                break;
            }
            columns.remove(Integer.valueOf(headings.indexOf(heading))); // none is at -1: then nothing goes
            widths = shrunk(natural, columns, room, READABLE);
        }
        if (whole(widths, columns) > room) {
            widths = shrunk(natural, columns, room, LEAST);
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(indent, widths, columns, headings));
        for (List<String> row : rows) {
            lines.add(line(indent, widths, columns, row));
        }
        return lines;
    }

    private int[] naturalWidths() {
        int[] widths = new int[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Printable.width(headings.get(i));
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], Printable.width(Printable.of(row.get(i))));
            }
        }
        return widths;
    }

    /** Takes from the widest column, column by column, until it fits or none is wider than this; from the first only then. */
    private static int[] shrunk(int[] natural, List<Integer> columns, int room, int least) {
        int[] widths = natural.clone();
        while (whole(widths, columns) > room) {
            int widest = columns.stream()
                    .skip(1)
                    .filter(column -> widths[column] > least)
                    .max((one, other) -> Integer.compare(widths[one], widths[other]))
                    .orElse(columns.getFirst());
            if (widths[widest] <= least) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static int whole(int[] widths, List<Integer> columns) {
        return columns.stream().mapToInt(column -> widths[column]).sum() + GAP.length() * (columns.size() - 1);
    }

    private static String line(String indent, int[] widths, List<Integer> columns, List<String> row) {
        StringBuilder line = new StringBuilder(indent);
        for (int column : columns) {
            String cell = Printable.shortened(Printable.of(row.get(column)), widths[column]);
            line.append(cell)
                    .repeat(' ', Math.max(0, widths[column] - Printable.width(cell)))
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
