package dev.holdfast.git;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A repository's name, as agents and people read it everywhere: a word of letters, digits, dots, dashes, underscores
 * and slashes. Its folder and config may be a stranger's, and could otherwise contain whole sentences addressed to the
 * reader.
 */
public final class RepositoryName {
    private static final int LONGEST = 64;
    private static final String NONE = "unnamed";

    /** /x, ~/x, \\x and C:\x or C:/x. */
    private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\~].*|[A-Za-z]:[/\\\\].*", Pattern.DOTALL);

    private static final Pattern FOLDERS = Pattern.compile(".*[/\\\\]", Pattern.DOTALL);
    private static final Pattern OTHERS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]");

    private RepositoryName() {}

    /** @param written as in its config or folder name; all other characters become a dash */
    public static String of(String written) {
        StringBuilder name = new StringBuilder();
        written.codePoints().limit(LONGEST).forEach(c -> {
            if (isKept(c)) {
                name.appendCodePoint(c);
            } else if (!name.isEmpty() && name.charAt(name.length() - 1) != '-') {
                name.append('-');
            }
        });
        while (!name.isEmpty() && name.charAt(name.length() - 1) == '-') {
            name.setLength(name.length() - 1);
        }
        return name.isEmpty() ? NONE : name.toString();
    }

    /**
     * The key that a broker derives from a name, so that people see the same one everywhere: {@code RepositoryKey} in
     * core.
     */
    public static String key(String written) {
        String name = written.strip();
        if (ABSOLUTE.matcher(name).matches()) {
            name = FOLDERS.matcher(name.replaceFirst("[/\\\\]+\\z", "")).replaceFirst("");
        }
        String lower = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        String key = OTHERS.matcher(lower).replaceAll("");
        return key.isEmpty() ? lower : key;
    }

    private static boolean isKept(int c) {
        return switch (c) {
            case '.', '_', '/' -> true;
            default ->
                Character.isLetterOrDigit(c)
                        || Character.getType(c) == Character.NON_SPACING_MARK
                        || Character.getType(c) == Character.COMBINING_SPACING_MARK;
        };
    }
}
