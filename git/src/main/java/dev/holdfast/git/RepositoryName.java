package dev.holdfast.git;

/**
 * What a repository is called by, wherever agents and people read it: a word of letters, digits, dots, dashes, underscores and
 * slashes. Its folder and its config may be a stranger's, and say whole sentences to whoever reads them.
 */
public final class RepositoryName {
    private static final int LONGEST = 64;
    private static final String NONE = "unnamed";

    private RepositoryName() {}

    /** @param written as its config or its folder has it; whatever else is in it becomes a dash */
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
