package dev.holdfast.cli.completion;

import dev.holdfast.cli.terminal.Printable;

/**
 * A word that would complete a command line.
 *
 * @param about what a person should know of it; may be empty
 */
record Candidate(String word, String about) {
    private static final int LONGEST = 60;

    /** Where a path belongs, the shell itself knows best what there is. */
    static final Candidate FILES = new Candidate(":files", "");

    static Candidate of(String word) {
        return new Candidate(word, "");
    }

    /** As the scripts read it: the word, a tab, the rest. Others' text can neither break the line nor reach the terminal raw. */
    String line() {
        String text = Printable.shortened(Printable.of(about.strip()), LONGEST);
        return text.isEmpty() ? word : word + "\t" + text;
    }

    /** Whether it can be typed as it is: a shell would read anything else as several words, or as something to do. */
    boolean isPlain() {
        return word.matches("[\\p{L}\\p{M}\\p{N}_./:@%+,=*~-]+");
    }
}
