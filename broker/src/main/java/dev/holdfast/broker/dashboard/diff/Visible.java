package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.claim.Text;
import java.util.Locale;

/**
 * Makes visible what hides or reorders others' text: a mark that changes the reading direction, a zero-width character
 * or a control character is shown as its code point. A reviewer must see what a compiler sees.
 */
public final class Visible {
    private Visible() {}

    /** For text of several lines: line breaks and tabs stay. */
    public static String of(String text) {
        return shown(text, true);
    }

    /** For a single line, such as a file name, in which a line break or a tab would look like a space. */
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
                continue; // a Windows line ending
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
