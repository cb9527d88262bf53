package dev.holdfast.cli.terminal;

import dev.holdfast.terminal.Columns;
import java.util.ArrayList;
import java.util.List;

/**
 * People's text, made safe to print and wrapped to the terminal. Nothing is left out: a word that is too long stays
 * whole.
 *
 * @param columns the terminal's width; 0: no limit, as for a pipe
 */
public record WrappedText(int columns) {
    public static WrappedText on(Shell shell) {
        return new WrappedText(shell.width().getAsInt());
    }

    /** @param indent of every line; wrapped lines keep their leading spaces */
    public List<String> lines(String indent, String text) {
        List<String> lines = new ArrayList<>();
        int room = Math.max(Columns.MIN, columns - Columns.of(indent));
        for (String line : Printable.lines(text)) {
            String spaces =
                    line.substring(0, line.length() - line.stripLeading().length());
            List<String> broken = columns == 0 ? List.of(line) : Columns.broken(line, room, spaces);
            broken.forEach(part -> lines.add(indent + part));
        }
        return lines;
    }
}
