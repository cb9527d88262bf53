package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What both databases store and give back unchanged: text without NUL characters and without halves of characters. */
public final class StorableText {
    private StorableText() {}

    /** What keeps a text from being stored, such as "contains a NUL character"; null: nothing. */
    public static @Nullable String problem(String text) {
        if (text.indexOf('\0') >= 0) {
            return "contains a NUL character";
        }
        return hasSurrogates(text) && !StandardCharsets.UTF_8.newEncoder().canEncode(text)
                ? "contains half a character (an unpaired surrogate)"
                : null;
    }

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
