package dev.holdfast.claim;

import java.nio.charset.StandardCharsets;

/** The limits on text that callers give, checked before anything is queued or written. */
public final class Text {
    public static final int LONGEST_ID_BYTES = 1_024;
    public static final int LONGEST_HOLDER = 200;
    public static final int LONGEST_NOTE = 10_000;

    private Text() {}

    /** Returns a holder's name, or says what is wrong with it. */
    public static String holder(String holder) {
        storable("holder", holder);
        if (holder.isBlank()) {
            throw new InvalidException("holder must not be blank; give the id of the agent that claims");
        }
        if (holder.codePointCount(0, holder.length()) > LONGEST_HOLDER) {
            throw new InvalidException("holder is longer than " + LONGEST_HOLDER + " characters");
        }
        if (holder.equals("unknown")) {
            throw new InvalidException("'unknown' is nobody; give the id of the agent that claims");
        }
        return holder;
    }

    /** Returns text no longer than so many characters that both databases store and give back unchanged. */
    public static String limited(String name, String text, int longest) {
        storable(name, text);
        if (text.codePointCount(0, text.length()) > longest) {
            throw new InvalidException(name + " is longer than " + longest + " characters");
        }
        return text;
    }

    /**
     * Others' text, made safe to show: what could move the cursor, colour the screen, fake a line or turn the reading
     * direction is written as {@code \}{@code uXXXX}.
     */
    public static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.SURROGATE ->
                    Character.toString(c).chars().forEach(unit -> safe.append(String.format("\\u%04x", unit)));
                default -> safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    static void storable(String name, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidException(name + " contains a NUL character");
        }
        if (hasSurrogates(text) && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidException(name + " contains half a character (an unpaired surrogate)");
        }
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
