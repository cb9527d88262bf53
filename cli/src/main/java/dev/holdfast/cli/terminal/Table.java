package dev.holdfast.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns, or, where the terminal is too narrow for that, one below the other. Nothing is ever cut off. */
public record Table(List<String> headings, List<List<String>> rows) {
    private static final String GAP = "  ";

    /** @param width columns of the terminal, 0 for no limit */
    public List<String> lines(String indent, int width) {
        int[] widths = columnWidths();
        int whole = indent.length() + GAP.length() * (widths.length - 1);
        for (int column : widths) {
            whole += column;
        }
        return width == 0 || whole <= width ? aligned(indent, widths) : stacked(indent);
    }

    private int[] columnWidths() {
        int[] widths = new int[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Printable.width(headings.get(i));
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], Printable.width(Printable.of(row.get(i))));
            }
        }
        return widths;
    }

    private List<String> aligned(String indent, int[] widths) {
        List<String> lines = new ArrayList<>();
        lines.add(aligned(indent, widths, headings));
        for (List<String> row : rows) {
            lines.add(aligned(indent, widths, row));
        }
        return lines;
    }

    private static String aligned(String indent, int[] widths, List<String> row) {
        StringBuilder line = new StringBuilder(indent);
        for (int i = 0; i < row.size(); i++) {
            String cell = Printable.of(row.get(i));
            line.append(cell).repeat(' ', widths[i] - Printable.width(cell)).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private List<String> stacked(String indent) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add(indent + Printable.of(row.getFirst()));
            for (int i = 1; i < row.size(); i++) {
                lines.add(indent + GAP + headings.get(i) + " " + Printable.of(row.get(i)));
            }
        }
        return lines;
    }
}
