package dev.holdfast.cli.terminal;

import dev.holdfast.terminal.Columns;
import java.util.List;

/**
 * Makes foreign text safe to print. Shows as {@code \}{@code uXXXX}: control characters, which could move the cursor,
 * colour the screen or fake a line; marks that reverse the reading direction; and invisible characters.
 */
public final class Printable {
    private Printable() {}

    public static String of(String text) {
        return shown(text, false);
    }

    /** Lines of foreign text, made safe to print; tabs stay. */
    public static List<String> lines(String text) {
        return text.lines().map(Printable::line).toList();
    }

    public static String line(String text) {
        return shown(text, true);
    }

    private static String shown(String text, boolean tabs) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(c) && !(tabs && c == '\t')) {
                Character.toString(c).chars().forEach(unit -> printable.append(String.format("\\u%04x", unit)));
            } else {
                printable.appendCodePoint(c);
            }
        });
        return printable.toString();
    }

    /** The same as the broker's {@code Text.isHidden}; a test compares the two. */
    private static boolean isHidden(int c) {
        if (c < 0x300) {
            return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default ->
                c == 0x34f
                        || c == 0x115f
                        || c == 0x1160
                        || c == 0x17b4
                        || c == 0x17b5
                        || (c >= 0x180b && c <= 0x180f)
                        || c == 0x3164
                        || (c >= 0xfe00 && c <= 0xfe0d)
                        || c == 0xffa0
                        || (c >= 0xe0000 && c <= 0xe0fff);
        };
    }

    /** As much of it as fits, with a mark if something is cut off. Combining marks stay with their character. */
    public static String shortened(String text, int columns) {
        if (Columns.of(text) <= columns) {
            return text;
        }
        StringBuilder shortened = new StringBuilder();
        int used = 0;
        for (int c : text.codePoints().toArray()) {
            int width = Columns.of(c);
            if (used + width > columns - 1) {
                break;
            }
            used += width;
            shortened.appendCodePoint(c);
        }
        return shortened.append('…').toString();
    }

    /**
     * The same text in lines of at most this many columns, broken at spaces; a longer word is shortened.
     *
     * @param indent of the lines after the first
     */
    public static List<String> wrapped(String text, int columns, String indent) {
        return Columns.broken(text, columns, indent).stream()
                .map(line -> shortened(line, columns))
                .toList();
    }
}
