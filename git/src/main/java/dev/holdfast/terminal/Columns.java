package dev.holdfast.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * The columns that a text takes in a terminal: two for East Asian wide characters and emoji, none for combining marks.
 */
public final class Columns {
    /** A narrower column would have one word per line. */
    public static final int MIN = 20;

    private Columns() {}

    public static int of(String text) {
        return text.codePoints().map(Columns::of).sum();
    }

    /**
     * The same text in lines of at most this many columns, broken at spaces; a longer word stays whole.
     *
     * @param indent of the lines after the first
     */
    public static List<String> broken(String text, int columns, String indent) {
        List<String> lines = new ArrayList<>();
        String line = text;
        while (of(line) > columns) {
            int end = fitting(line, columns);
            int from = line.length() - line.stripLeading().length();
            int before = line.lastIndexOf(' ', end);
            int space = before > from ? before : line.indexOf(' ', Math.max(from, end));
            if (space < 0) {
                break;
            }
            lines.add(line.substring(0, space).stripTrailing());
            line = indent + line.substring(space + 1).stripLeading();
        }
        if (lines.isEmpty() || !line.isBlank()) {
            lines.add(line);
        }
        return lines;
    }

    /**
     * A name and its text, with continuation lines aligned below the start of the text.
     *
     * @param columns the terminal's width; 0: no limit, as for a pipe
     */
    public static List<String> hanging(String name, String text, int columns) {
        if (columns == 0) {
            return List.of(name + text);
        }
        String indent = " ".repeat(of(name));
        List<String> lines = new ArrayList<>();
        for (String line : broken(text, Math.max(MIN, columns - of(name)), "")) {
            lines.add((lines.isEmpty() ? name : indent) + line);
        }
        return lines;
    }

    /** How many of its characters fit. */
    private static int fitting(String text, int columns) {
        int used = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            used += of(c);
            if (used > columns) {
                break;
            }
            i += Character.charCount(c);
        }
        return i;
    }

    /** The columns of one character. */
    public static int of(int c) {
        if (c < 0x300) {
            return c == 0xad ? 0 : 1;
        }
        if (c >= 0x1160 && c <= 0x11ff) { // vowels and finals that combine with the consonant before
            return 0;
        }
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        return (c >= 0x1100 && c <= 0x115f)
                || (c >= 0x2e80 && c <= 0x303e)
                || (c >= 0x3041 && c <= 0xa4cf)
                || (c >= 0xa960 && c <= 0xa97f)
                || (c >= 0xac00 && c <= 0xd7a3)
                || (c >= 0xf900 && c <= 0xfaff)
                || (c >= 0xfe30 && c <= 0xfe6f)
                || (c >= 0xff00 && c <= 0xff60)
                || (c >= 0xffe0 && c <= 0xffe6)
                || (c >= 0x20000 && c <= 0x3fffd)
                || Character.isEmojiPresentation(c);
    }
}
