package dev.holdfast.cli.terminal;

import dev.holdfast.terminal.Columns;
import java.util.ArrayList;
import java.util.List;

/**
 * Text that people wrote, made safe to print and broken at spaces to fit the terminal. Nothing is left out: a word without a place
 * to break it stays whole.
 *
 * @param columns of the terminal, 0: no limit, as for a pipe
 */
public record Prose(int columns) {
    public static Prose on(Shell shell) {
        return new Prose(shell.width().getAsInt());
    }

    /** @param indent of every line; lines that are broken keep the spaces that they begin with */
    public List<String> lines(String indent, String text) {
        List<String> lines = new ArrayList<>();
        int room = Math.max(Columns.LEAST, columns - Columns.of(indent));
        for (String line : Printable.lines(text)) {
            String spaces =
                    line.substring(0, line.length() - line.stripLeading().length());
            List<String> broken = columns == 0 ? List.of(line) : Columns.broken(line, room, spaces);
            broken.forEach(part -> lines.add(indent + part));
        }
        return lines;
    }
}
