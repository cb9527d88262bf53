package dev.holdfast.cli.git;

import java.util.regex.Pattern;

/** Writes a word so that a shell reads it back unchanged. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./-]+");

    private ShellWord() {}

    /** In quotes. */
    public static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** In quotes only if it needs them. */
    public static String of(String word) {
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }
}
