package dev.holdfast.cli.completion;

import dev.holdfast.cli.terminal.Printable;

/**
 * A word that would complete a command line.
 *
 * @param about an explanation for people; may be empty
 */
record Candidate(String word, String about) {
    private static final int LONGEST = 60;

    /** A path belongs here: the shell itself completes those best. */
    static final Candidate FILES = new Candidate(":files", "");

    static Candidate of(String word) {
        return new Candidate(word, "");
    }

    /**
     * The format the scripts read: the word, a tab, the rest. Foreign text can neither break the line nor reach the
     * terminal unescaped.
     */
    String line() {
        String text = Printable.shortened(Printable.of(about.strip()), LONGEST);
        return text.isEmpty() ? word : word + "\t" + text;
    }

    /** Whether it can be typed as it is: a shell would split anything else into words, or execute it. */
    boolean isPlain() {
        return word.matches("[\\p{L}\\p{M}\\p{N}_./:@%+,=*~-]+");
    }
}
