package dev.holdfast.cli.json;

/** A text is not one JSON document. The message says what is wrong, and where. */
public final class NotJsonException extends Exception {
    private final String problem;
    private final String place;

    /** @param place such as {@code line 2, column 7} */
    NotJsonException(String problem, String place) {
        super(problem + " at " + place);
        this.problem = problem;
        this.place = place;
    }

    public String problem() {
        return problem;
    }

    public String place() {
        return place;
    }
}
