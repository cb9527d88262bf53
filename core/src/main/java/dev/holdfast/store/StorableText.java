package dev.holdfast.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks for text that both databases return unchanged: no NUL characters and no unpaired surrogates. */
public final class StorableText {
    private StorableText() {}

    /** Why a text cannot be stored, such as "contains a NUL character"; null if it can. */
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
