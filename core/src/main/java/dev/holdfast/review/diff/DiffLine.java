package dev.holdfast.review.diff;

/**
 * A line of a hunk.
 *
 * @param text without the first character and the newline; a carriage return at the end is part of it
 * @param noNewline the file ends here, without a newline
 * @param oldNumber its number in the old content; for an added line, that of the old line that follows
 * @param newNumber its number in the new content; for a removed line, that of the new line that follows
 */
public record DiffLine(Kind kind, String text, boolean noNewline, int oldNumber, int newNumber) {
    /** What happens to the line. */
    public enum Kind {
        CONTEXT(' '),
        ADDED('+'),
        REMOVED('-');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }

        /** Returns the first character of such a line in a diff. */
        public char mark() {
            return mark;
        }

        boolean isOn(Side side) {
            return this != (side == Side.OLD ? ADDED : REMOVED);
        }

        /** An empty line counts as an empty line of context: some programs write it without its space. */
        static Kind of(char mark) {
            return switch (mark) {
                case '+' -> ADDED;
                case '-' -> REMOVED;
                default -> CONTEXT;
            };
        }
    }

    int number(Side side) {
        return side == Side.OLD ? oldNumber : newNumber;
    }

    /** Whether it is the same line, wherever it is and whatever is done to it. */
    Content content() {
        return new Content(text, noNewline);
    }

    record Content(String text, boolean noNewline) {}
}
