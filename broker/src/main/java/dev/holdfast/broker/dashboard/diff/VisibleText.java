package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.claim.Text;
import java.util.Locale;

/**
 * Makes visible what hides or reorders others' text: a mark that changes the reading direction, a zero-width character
 * or a control character is shown as its code point. A reviewer must see what a compiler sees.
 */
public final class VisibleText {
    private static final int TEXT_STYLE = 0xfe0e;
    private static final int EMOJI_STYLE = 0xfe0f;
    private static final char KEYCAP = 0x20e3;

    private VisibleText() {}

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
            boolean plain = isPlain(text, i, lines);
            i += Character.charCount(c);
            if (lines && c == '\r' && i < text.length() && text.charAt(i) == '\n') {
                continue; // a Windows line ending
            }
            if (plain) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format(Locale.ROOT, "⟨U+%04X⟩", c));
            }
        }
        return shown.toString();
    }

    private static int firstHidden(String text, boolean lines) {
        for (int i = 0; i < text.length(); ) {
            if (!isPlain(text, i, lines)) {
                return i;
            }
            i += Character.charCount(text.codePointAt(i));
        }
        return -1;
    }

    private static boolean isPlain(String text, int at, boolean lines) {
        int c = text.codePointAt(at);
        if (c == TEXT_STYLE || c == EMOJI_STYLE) {
            return followsEmoji(text, at);
        }
        return (lines && (c == '\t' || c == '\n')) || !Text.isHidden(c);
    }

    /** Anywhere else, the two ways to show an emoji could hide any message, bit by bit. */
    private static boolean followsEmoji(String text, int at) {
        if (at == 0) {
            return false;
        }
        int before = text.codePointBefore(at);
        boolean keycap = at + 1 < text.length() && text.charAt(at + 1) == KEYCAP;
        return Character.isEmoji(before) && (before > 0x7f || keycap);
    }
}
