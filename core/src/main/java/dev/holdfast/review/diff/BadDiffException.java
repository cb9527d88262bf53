package dev.holdfast.review.diff;

/** Aborts the parsing of a diff; never leaves this package. It has no stack trace, because bad input is ordinary. */
final class BadDiffException extends RuntimeException {
    private final DiffProblem problem;

    BadDiffException(int line, String message) {
        super(message, null, false, false);
        this.problem = new DiffProblem(line, message);
    }

    DiffProblem problem() {
        return problem;
    }
}
