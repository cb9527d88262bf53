package dev.holdfast.claim;

import dev.holdfast.store.StorableText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The limits on text from callers, checked before anything is queued or written. */
public final class Text {
    public static final int LONGEST_ID_BYTES = 1_024;
    public static final int LONGEST_HOLDER = 200;
    public static final int LONGEST_NOTE = 10_000;

    private Text() {}

    /** Returns the holder's name, or throws if it is invalid. */
    public static String holder(String holder) {
        storable("holder", holder);
        if (holder.isBlank()) {
            throw new InvalidException("holder must not be blank; give the id of the agent that claims");
        }
        if (holder.codePointCount(0, holder.length()) > LONGEST_HOLDER) {
            throw new InvalidException("holder is longer than " + LONGEST_HOLDER + " characters");
        }
        if (holder.equals("unknown")) {
            throw new InvalidException("'unknown' is not a holder; give the id of the agent that claims");
        }
        return holder;
    }

    /** Returns the text if it is no longer than this many characters and both databases return it unchanged. */
    public static String limited(String name, String text, int longest) {
        storable(name, text);
        if (text.codePointCount(0, text.length()) > longest) {
            throw new InvalidException(name + " is longer than " + longest + " characters");
        }
        return text;
    }

    /**
     * Parses a time such as 2026-12-24T18:00:00Z.
     *
     * @throws DateTimeException if it is not a time that both databases can store
     */
    public static Instant time(String text) {
        OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
        if (time.getYear() < 1 || time.getYear() > 9_999) {
            throw new DateTimeException("the year must be from 1 to 9999");
        }
        return time.toInstant();
    }

    /**
     * Makes other people's text safe to show: anything that could move the cursor, colour the screen, fake a line,
     * change the reading direction or stay invisible is written as {@code \}{@code uXXXX}.
     */
    public static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(c)) {
                Character.toString(c).chars().forEach(unit -> safe.append(String.format("\\u%04x", unit)));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    /**
     * Whether the character is invisible: it has an effect instead, or no width. Emoji variation selectors are left
     * alone.
     */
    public static boolean isHidden(int c) {
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

    /** Returns the text, of any length, if both databases return it unchanged. */
    public static String storable(String name, String text) {
        String problem = StorableText.problem(text);
        if (problem != null) {
            throw new InvalidException(name + " " + problem);
        }
        return text;
    }
}
