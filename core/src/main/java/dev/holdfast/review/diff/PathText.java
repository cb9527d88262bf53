package dev.holdfast.review.diff;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How diffs write paths: C-style quoted if they contain special characters, and with an extra leading folder. */
final class PathText {
    /** a/ and b/; the mnemonic prefixes c(ommit) i(ndex) o(bject) w(ork tree); 1/ and 2/ for two folders. */
    private static final String PREFIXES = "abciow12";

    private PathText() {}

    /**
     * The two names in one header.
     *
     * @param prefixed each has an extra leading folder
     * @param odd these folders are not ones that git itself uses
     */
    record Names(String from, String to, boolean prefixed, boolean odd) {}

    /** Returns a path, unquoted if necessary. */
    static String read(String text) {
        return text.startsWith("\"") ? unquoted(text, closingQuote(text, 0)) : text;
    }

    /** The name in a {@code ---} or {@code +++} line, which may be followed by a tab and a time. */
    static String beforeTab(String text) {
        if (text.startsWith("\"")) {
            return read(text);
        }
        int tab = text.indexOf('\t');
        return tab < 0 ? text : text.substring(0, tab);
    }

    /** {@code diff -N} dates a nonexistent file to the epoch. */
    static boolean saysNeverWas(String text) {
        int tab = text.indexOf('\t');
        return tab >= 0 && (text.startsWith("1970-01-01 ", tab + 1) || text.startsWith("1969-12-31 ", tab + 1));
    }

    /**
     * Reads {@code a/x b/x}; null if it is not the same name twice. Spaces in the name do no harm: the line is split in
     * the middle.
     */
    static @Nullable Names sameNameTwice(String line) {
        int space = splitAt(line);
        if (space < 0) {
            return null;
        }
        String left = read(line.substring(0, space));
        String right = read(line.substring(space + 1));
        if (left.equals(right)) {
            return new Names(left, right, false, false);
        }
        String from = withoutPrefix(left);
        boolean same = !from.equals(left) && from.equals(withoutPrefix(right));
        return same ? new Names(from, from, true, !isPrefixed(left) || !isPrefixed(right)) : null;
    }

    private static int splitAt(String line) {
        int space;
        if (line.startsWith("\"")) {
            space = closingQuote(line, 0) + 1;
        } else if (line.endsWith("\"")) {
            space = line.indexOf(" \"");
        } else {
            space = line.length() / 2;
        }
        return space > 0 && space < line.length() - 1 && line.charAt(space) == ' ' ? space : -1;
    }

    /**
     * The two names of {@code ---} and {@code +++}. In git diffs both count; in plain diffs one is often a backup copy
     * next to the other.
     */
    static Names two(String from, String to, boolean git) {
        boolean twoFolders = !from.equals(to) && withoutPrefix(from).equals(withoutPrefix(to));
        boolean prefixed = twoFolders || (isPrefixed(from) && isPrefixed(to) && from.charAt(0) != to.charAt(0));
        String old = prefixed ? withoutPrefix(from) : from;
        String now = prefixed ? withoutPrefix(to) : to;
        boolean odd = prefixed && !(isPrefixed(from) && isPrefixed(to));
        if (git) {
            return new Names(old, now, prefixed, odd);
        }
        String one = old.startsWith(now) ? now : old;
        return new Names(one, one, prefixed, odd);
    }

    /** The name of a file that is created or deleted; the other one is /dev/null. */
    static Names only(String name) {
        String path = isPrefixed(name) ? withoutPrefix(name) : name;
        return new Names(path, path, isPrefixed(name), false);
    }

    /** Whether a {@code diff --git} line starts with exactly this name, without an extra folder. */
    static boolean startsWithName(String line, String name) {
        return line.startsWith("\"") ? read(line).equals(name) : line.startsWith(name + " ");
    }

    /** Whether git itself would name the path like this in a header. */
    static boolean isWrittenByGit(String name, String path) {
        return name.equals(path) || (isPrefixed(name) && withoutPrefix(name).equals(path));
    }

    static String withoutPrefix(String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    private static boolean isPrefixed(String name) {
        return name.length() > 2 && name.charAt(1) == '/' && PREFIXES.indexOf(name.charAt(0)) >= 0;
    }

    private static int closingQuote(String text, int open) {
        for (int at = open + 1; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == '"') {
                return at;
            }
        }
        return text.length();
    }

    /** Whether the text contains a quoted name that keeps its escapes. */
    static boolean keepsEscapes(String text) {
        for (int open = text.indexOf('"'); open >= 0; ) {
            int close = closingQuote(text, open);
            if (decoded(text, open, close) == null) {
                return true;
            }
            open = text.indexOf('"', close + 1);
        }
        return false;
    }

    /**
     * A name that is not UTF-8, or not quoted git's way, keeps its escapes, so that two different names cannot become
     * one.
     */
    private static String unquoted(String text, int close) {
        String decoded = decoded(text, 0, close);
        return decoded == null ? text.substring(1, close) : decoded;
    }

    private static @Nullable String decoded(String text, int open, int close) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(close - open);
        int at = open + 1;
        while (at < close) {
            char next = text.charAt(at);
            if (next == '\\' && at + 1 < close) {
                int octal = octal(text, at + 1, close);
                int value = octal >= 0 ? octal : escaped(text.charAt(at + 1));
                if (value < 0) {
                    return null;
                }
                bytes.write(value);
                at += octal >= 0 ? 4 : 2;
            } else {
                int character = text.codePointAt(at);
                bytes.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(character);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    private static int octal(String text, int at, int close) {
        if (at + 3 > close) {
            return -1;
        }
        int value = 0;
        for (int digit = at; digit < at + 3; digit++) {
            char octal = text.charAt(digit);
            if (octal < '0' || octal > '7') {
                return -1;
            }
            value = value * 8 + octal - '0';
        }
        return value < 256 ? value : -1;
    }

    private static int escaped(char letter) {
        return switch (letter) {
            case 'a' -> 7;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 11;
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '"', '\\' -> letter;
            default -> -1;
        };
    }
}
