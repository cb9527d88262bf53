package dev.holdfast.broker.dashboard.diff;

import java.util.ArrayList;
import java.util.List;

/**
 * Colours one line. It ignores the lines around it: a diff seldom shows where a comment began, and a wrong guess would
 * colour half a file.
 */
record Syntax(Language language) {
    private static final String KEYWORD = "k1";
    private static final String TEXT = "k2";
    private static final String NUMBER = "k3";
    private static final String TYPE = "k4";
    private static final String COMMENT = "k5";

    List<Span> spans(String line) {
        if (language.isPlain() || line.isEmpty()) {
            return List.of(new Span("", line));
        }
        String start = line.stripLeading();
        if (language.block()
                && (start.startsWith("/*") || start.startsWith("* ") || start.startsWith("*/") || start.equals("*"))) {
            return List.of(new Span(COMMENT, line));
        }
        List<Span> spans = new ArrayList<>();
        int plain = 0;
        int at = 0;
        while (at < line.length()) {
            int end = at;
            String look = "";
            char c = line.charAt(at);
            if (!language.comment().isEmpty() && line.startsWith(language.comment(), at)) {
                end = line.length();
                look = COMMENT;
            } else if (c == '"' || c == '\'' || c == '`') {
                end = text(line, at);
                look = end > at ? TEXT : "";
            } else if (Character.isDigit(c)) {
                end = number(line, at);
                look = NUMBER;
            } else if (Character.isJavaIdentifierStart(c)) {
                end = word(line, at);
                look = look(line.substring(at, end));
            }
            if (look.isEmpty()) {
                at = Math.max(end, at + 1);
                continue;
            }
            if (at > plain) {
                spans.add(new Span("", line.substring(plain, at)));
            }
            spans.add(new Span(look, line.substring(at, end)));
            at = end;
            plain = at;
        }
        if (plain < line.length()) {
            spans.add(new Span("", line.substring(plain)));
        }
        return spans;
    }

    private String look(String word) {
        if (language.isWord(word)) {
            return KEYWORD;
        }
        boolean type = language.types()
                && Character.isUpperCase(word.charAt(0))
                && word.chars().anyMatch(Character::isLowerCase);
        return type ? TYPE : "";
    }

    /**
     * Where the string that starts at {@code from} ends; {@code from} itself if it does not end on this line: then the
     * quote is an apostrophe.
     */
    private static int text(String line, int from) {
        char quote = line.charAt(from);
        for (int i = from + 1; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == quote) {
                return i + 1;
            }
        }
        return from;
    }

    private static int number(String line, int from) {
        int i = from;
        while (i < line.length()
                && (Character.isLetterOrDigit(line.charAt(i)) || line.charAt(i) == '.' || line.charAt(i) == '_')) {
            i++;
        }
        return i;
    }

    private static int word(String line, int from) {
        int i = from;
        while (i < line.length() && Character.isJavaIdentifierPart(line.charAt(i))) {
            i++;
        }
        return i;
    }
}
