package dev.holdfast.review.diff;

/**
 * Why a text is not a reviewable diff.
 *
 * @param line the line number in the text, from 1
 * @param message what is wrong there, and what to do
 */
public record DiffProblem(int line, String message) implements ParseResult {
    @Override
    public String toString() {
        return "line " + line + ": " + message;
    }
}
