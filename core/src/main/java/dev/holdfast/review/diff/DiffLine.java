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
    /** Whether the line is context, added or removed. */
    public enum Kind {
        CONTEXT(' '),
        ADDED('+'),
        REMOVED('-');

        private final char mark;

        Kind(char mark) {
            this.mark = mark;
        }

        /** Returns the character that starts such a line in a diff. */
        public char mark() {
            return mark;
        }

        public boolean isOn(Side side) {
            return this != (side == Side.OLD ? ADDED : REMOVED);
        }

        /** An empty line counts as empty context: some programs write it without its space. */
        static Kind of(char mark) {
            return switch (mark) {
                case '+' -> ADDED;
                case '-' -> REMOVED;
                default -> CONTEXT;
            };
        }
    }

    public int number(Side side) {
        return side == Side.OLD ? oldNumber : newNumber;
    }

    /** What identifies the line regardless of its position and of whether it is added, removed or context. */
    Content content() {
        return new Content(text, noNewline);
    }

    record Content(String text, boolean noNewline) {}
}
