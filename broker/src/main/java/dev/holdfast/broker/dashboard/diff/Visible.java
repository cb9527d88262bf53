package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.claim.Text;
import java.util.Locale;

/**
 * Others' text, with what hides or reorders it made visible: a mark that turns the reading direction, a character without width or a
 * control character is shown as its number. A reviewer must see what a compiler sees.
 */
public final class Visible {
    private Visible() {}

    public static String of(String text) {
        int at = firstHidden(text);
        if (at < 0) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (int i = at; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '\r' && i < text.length() && text.charAt(i) == '\n') {
                continue; // how lines end elsewhere
            }
            if (isPlain(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format(Locale.ROOT, "⟨U+%04X⟩", c));
            }
        }
        return shown.toString();
    }

    private static int firstHidden(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (!isPlain(c)) {
                return i;
            }
            i += Character.charCount(c);
        }
        return -1;
    }

    private static boolean isPlain(int c) {
        return c == '\t' || c == '\n' || !Text.isHidden(c);
    }
}
