package dev.holdfast.broker.dashboard.diff;

import java.util.Locale;

/**
 * Others' text, with what hides or reorders it made visible: a mark that turns the reading direction, or a control character, is
 * shown as its number. A reviewer must see what a compiler sees.
 */
public final class Visible {
    private Visible() {}

    public static String of(String text) {
        if (text.chars().allMatch(Visible::isPlain)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                shown.append(c);
            } else {
                shown.append(String.format(Locale.ROOT, "⟨U+%04X⟩", (int) c));
            }
        }
        return shown.toString();
    }

    private static boolean isPlain(int c) {
        return c == '\t'
                || c == '\n'
                || (c >= 0x20 && c < 0x7f)
                || (c > 0x9f && Character.getType(c) != Character.FORMAT);
    }
}
