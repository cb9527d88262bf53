package dev.holdfast.review.diff;

/** A text read line by line. Only a newline ends a line, as in git. */
final class DiffText {
    private final String text;
    private int at;
    private int lineEnd;
    private int number = 1;

    DiffText(String text) {
        this.text = text;
        this.lineEnd = endOfLine(0);
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /** The number of the current line. */
    int number() {
        return number;
    }

    int at() {
        return at;
    }

    /** The first character of the current line; a newline if it is empty. */
    char first() {
        return at < lineEnd ? text.charAt(at) : '\n';
    }

    boolean isBlank() {
        return at == lineEnd || (at + 1 == lineEnd && text.charAt(at) == '\r');
    }

    boolean startsWith(String start) {
        return text.startsWith(start, at);
    }

    /** The current line without its newline and any carriage return before it: for headers, never for content. */
    String header() {
        int end = lineEnd > at && text.charAt(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
        return text.substring(at, end);
    }

    void skip() {
        at = Math.min(lineEnd + 1, text.length());
        lineEnd = endOfLine(at);
        number++;
    }

    /** Whether the line that many lines ahead starts with this text. */
    boolean aheadStartsWith(int lines, String start) {
        int from = at;
        for (int skipped = 0; skipped < lines; skipped++) {
            from = Math.min(endOfLine(from) + 1, text.length());
        }
        return text.startsWith(start, from);
    }

    /** The text read since an offset, ending with a newline. */
    String since(int from) {
        String read = text.substring(from, at);
        return read.isEmpty() || read.endsWith("\n") ? read : read + "\n";
    }

    boolean endsWithNewline() {
        return text.endsWith("\n");
    }

    BadDiffException bad(String message) {
        return new BadDiffException(number, message);
    }

    private int endOfLine(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }
}
