package dev.holdfast.review.diff;

/** What is done to a file. */
public enum Operation {
    CREATE("create"),
    DELETE("delete"),
    MODIFY("modify"),
    RENAME("rename"),
    COPY("copy"),
    /** Only the mode changes. Clients see "modify", with the modes next to it. */
    MODE_CHANGE("modify");

    private final String word;

    Operation(String word) {
        this.word = word;
    }

    /** Returns the word that clients see in {@code affected_files}. */
    public String word() {
        return word;
    }
}
