package dev.holdfast.cli.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON document (RFC 8259) and lets a {@link Maker} make something of each of its values. Our own, because a library
 * that may need Java's {@code BigDecimal} loads it at once, which alone takes 5 ms of every command.
 */
public final class JsonReader<T extends @Nullable Object> {
    /** Makes something of a value. Positions are indexes of the text's characters, the end is after the last. */
    public interface Maker<T extends @Nullable Object> {
        /** @param value a String, Number, Boolean or null */
        T scalar(int start, int end, @Nullable Object value);

        T array(int start, int end, List<T> elements);

        /** @param members in the order of the text; a name may occur twice */
        T object(int start, int end, List<Member<T>> members);
    }

    /** @param start where its name begins */
    public record Member<T extends @Nullable Object>(String name, int start, T value) {}

    private static final int DEEPEST = 500;

    /** Longer ones are nothing but a way to keep a reader busy. */
    private static final int LONGEST_NUMBER = 1_000;

    private static final int LONGEST_INT = 9;
    private static final int LONGEST_LONG = 18;

    private final String text;
    private final boolean annotated;
    private final Maker<T> maker;
    private int at;
    private int depth;

    private JsonReader(String text, boolean annotated, Maker<T> maker) {
        this.text = text;
        this.annotated = annotated;
        this.maker = maker;
    }

    /** @param annotated whether comments and commas after the last entry are allowed */
    public static <T extends @Nullable Object> T read(String text, boolean annotated, Maker<T> maker)
            throws NotJsonException {
        return new JsonReader<>(text, annotated, maker).document();
    }

    private T document() throws NotJsonException {
        skipSpace();
        if (at == text.length()) {
            throw wrong("it is empty");
        }
        T value = value();
        skipSpace();
        if (at < text.length()) {
            throw wrong("there is more after the end of the document");
        }
        return value;
    }

    private T value() throws NotJsonException {
        int start = at;
        return switch (peek()) {
            case '{' -> object(start);
            case '[' -> array(start);
            case '"' -> scalar(start, string());
            case 't' -> word(start, "true", true);
            case 'f' -> word(start, "false", false);
            case 'n' -> word(start, "null", null);
            default -> scalar(start, number());
        };
    }

    private T scalar(int start, @Nullable Object value) {
        return maker.scalar(start, at, value);
    }

    private T word(int start, String word, @Nullable Boolean value) throws NotJsonException {
        if (!text.startsWith(word, at)) {
            throw unexpected("a value");
        }
        at += word.length();
        return scalar(start, value);
    }

    private T object(int start) throws NotJsonException {
        List<Member<T>> members = new ArrayList<>();
        open();
        while (!isClosed('}', !members.isEmpty())) {
            int nameStart = at;
            if (peek() != '"') {
                throw unexpected("a name in double quotes");
            }
            String name = string();
            skipSpace();
            expect(':', "a colon");
            skipSpace();
            members.add(new Member<>(name, nameStart, value()));
        }
        return maker.object(start, at, members);
    }

    private T array(int start) throws NotJsonException {
        List<T> elements = new ArrayList<>();
        open();
        while (!isClosed(']', !elements.isEmpty())) {
            elements.add(value());
        }
        return maker.array(start, at, elements);
    }

    private void open() throws NotJsonException {
        depth++;
        if (depth > DEEPEST) {
            throw wrong("its nesting depth is above " + DEEPEST);
        }
        at++;
    }

    /** Goes on to the next entry, or past the end of what was opened. */
    private boolean isClosed(char end, boolean entered) throws NotJsonException {
        skipSpace();
        if (entered && peek() != end) {
            expect(',', "a comma or " + end);
            skipSpace();
            if (peek() == end && !annotated) {
                throw unexpected("another entry");
            }
        }
        if (peek() != end) {
            return false;
        }
        at++;
        depth--;
        return true;
    }

    private String string() throws NotJsonException {
        int start = ++at;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') {
            at++;
        }
        if (peek() == '"') {
            return text.substring(start, at++);
        }
        StringBuilder string = new StringBuilder(text.substring(start, at));
        while (peek() != '"') {
            char c = text.charAt(at);
            if (c < ' ') {
                throw wrong("a string has a character that must be escaped");
            }
            at++;
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() throws NotJsonException {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> {
                at--;
                throw unexpected("an escape such as \\n");
            }
        };
    }

    private char codeUnit() throws NotJsonException {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw unexpected("four hexadecimal digits");
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }

    private Number number() throws NotJsonException {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits(at == start ? "a value" : "a digit");
        }
        boolean whole = true;
        if (at < text.length() && text.charAt(at) == '.') {
            whole = false;
            at++;
            digits("a digit");
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits("a digit");
        }
        String digits = text.substring(start, at);
        if (digits.length() > LONGEST_NUMBER) {
            throw wrong("a number has more than " + LONGEST_NUMBER + " characters");
        }
        try {
            return whole ? whole(digits) : new BigDecimal(digits);
        } catch (NumberFormatException e) {
            throw wrong("a number is too large");
        }
    }

    private static Number whole(String digits) {
        if (digits.length() <= LONGEST_INT) {
            return Integer.valueOf(digits);
        }
        if (digits.length() <= LONGEST_LONG) {
            return Long.valueOf(digits);
        }
        return new BigInteger(digits);
    }

    private void digits(String wanted) throws NotJsonException {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw unexpected(wanted);
        }
    }

    private void skipSpace() throws NotJsonException {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
                at++;
            } else if (annotated && c == '/') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() throws NotJsonException {
        boolean line = text.startsWith("//", at);
        if (!line && !text.startsWith("/*", at)) {
            throw unexpected("a comment");
        }
        int end = text.indexOf(line ? "\n" : "*/", at + 2);
        if (end < 0 && !line) {
            throw wrong("a comment has no end");
        }
        at = end < 0 ? text.length() : end + (line ? 1 : 2);
    }

    private void expect(char wanted, String called) throws NotJsonException {
        if (peek() != wanted) {
            throw unexpected(called);
        }
        at++;
    }

    private char peek() throws NotJsonException {
        if (at >= text.length()) {
            throw wrong("it ends too early");
        }
        return text.charAt(at);
    }

    private NotJsonException unexpected(String wanted) {
        return wrong("expected " + wanted);
    }

    private NotJsonException wrong(String problem) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at && i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new NotJsonException(problem, "line " + line + ", column " + (at - lineStart + 1));
    }
}
