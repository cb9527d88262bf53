package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.claim.Text;
import java.util.Locale;

/**
 * Others' text, with what hides or reorders it made visible: a mark that turns the reading direction, a character without width or a
 * control character is shown as its number. A reviewer must see what a compiler sees.
 */
public final class Visible {
    private Visible() {}

    /** A text of lines: their ends and tabs stay. */
    public static String of(String text) {
        return shown(text, true);
    }

    /** What is one line, such as a file's name: an end of a line or a tab in it would look like a space. */
    public static String line(String text) {
        return shown(text, false);
    }

    private static String shown(String text, boolean lines) {
        int at = firstHidden(text, lines);
        if (at < 0) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (int i = at; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (lines && c == '\r' && i < text.length() && text.charAt(i) == '\n') {
                continue; // how lines end elsewhere
            }
            if (isPlain(c, lines)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format(Locale.ROOT, "⟨U+%04X⟩", c));
            }
        }
        return shown.toString();
    }

    private static int firstHidden(String text, boolean lines) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (!isPlain(c, lines)) {
                return i;
            }
            i += Character.charCount(c);
        }
        return -1;
    }

    private static boolean isPlain(int c, boolean lines) {
        return (lines && (c == '\t' || c == '\n')) || !Text.isHidden(c);
    }
}
