package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Paths of a repository, named by a pattern. It covers what it matches and everything below that, so that a folder can be
 * named without more.
 *
 * <p>{@code *} stands for any characters of one name, {@code ?} for one, {@code [a-z]} and {@code [!a-z]} for one of a
 * set, {@code **} as a whole name for any number of names, none included; a backslash takes the meaning of the next
 * character away. Capital and small letters are different.
 */
public record Glob(String text, List<GlobName> names) {
    private static final int MOST = 50;
    private static final int LONGEST = 1_000;
    private static final int LONGEST_TOGETHER = 10_000;
    private static final int DEEPEST = 100;
    private static final int MOST_WILDCARDS = 50;
    /** The longest path that Linux takes. */
    private static final int LONGEST_LITERAL = 4_096;

    /**
     * All that one reservation covers.
     *
     * @throws InvalidException that says what is wrong with them
     */
    public static List<Glob> all(Collection<String> paths) {
        if (paths.isEmpty() || paths.size() > MOST) {
            throw new InvalidException("paths must be 1 to " + MOST + " globs, not " + paths.size());
        }
        int together = paths.stream().mapToInt(String::length).sum();
        if (together > LONGEST_TOGETHER) {
            throw new InvalidException("paths must be at most " + LONGEST_TOGETHER + " characters together, not "
                    + together + "; name folders instead of their files");
        }
        return paths.stream().map(Glob::of).toList();
    }

    /** @throws InvalidException that says what is wrong with it */
    public static Glob of(String text) {
        Text.limited("path", text, LONGEST);
        Glob glob = stored(text);
        if (glob.names.size() > DEEPEST) {
            throw new InvalidException("path '" + text + "' is deeper than " + DEEPEST + " names");
        }
        if (glob.names.stream().anyMatch(GlobName::tooLong)) {
            throw new InvalidException(
                    "path '" + text + "' has a name of more than " + GlobName.LONGEST + " characters in it");
        }
        if (glob.names.stream().mapToInt(GlobName::wildcards).sum() > MOST_WILDCARDS) {
            throw new InvalidException("path '" + text + "' has more than " + MOST_WILDCARDS
                    + " wildcards; name the folder that they are in, or give several paths");
        }
        return glob;
    }

    /** One that was accepted, perhaps when there were other limits. */
    static Glob stored(String text) {
        return new Glob(
                text,
                Arrays.stream(names(text)).map(name -> GlobName.of(name, text)).toList());
    }

    /** A path as it is, whatever characters it has. */
    public static Glob literal(String path) {
        Text.limited("path", path, LONGEST_LITERAL);
        return new Glob(path, Arrays.stream(names(path)).map(GlobName::literal).toList());
    }

    private static String[] names(String text) {
        String relative = text.startsWith("./") ? text.substring(2) : text;
        String plain = relative.endsWith("/") ? relative.substring(0, relative.length() - 1) : relative;
        if (plain.isBlank() || plain.startsWith("/")) {
            throw new InvalidException("path '" + text
                    + "' must be relative to the root of the repository, such as src/main or src/**/*.java");
        }
        String[] names = plain.split("/", -1);
        for (String name : names) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw new InvalidException("path '" + text + "' must not have empty names, '.' or '..' in it");
            }
        }
        return names;
    }

    /**
     * Whether there can be a path that both cover.
     *
     * <p>Only the names before the first {@code **} of either decide. Behind it there is always a path for both: as each
     * covers everything below what it matches, one may go on for as long as it likes, through all that the other wants,
     * and then do what it wants itself.
     */
    public boolean overlaps(Glob other) {
        int both = Math.min(certain(), other.certain());
        for (int i = 0; i < both; i++) {
            if (!names.get(i).overlaps(other.names.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** How many names come before the first that stands for any number of them. */
    private int certain() {
        int count = 0;
        while (count < names.size() && !names.get(count).anyDepth()) {
            count++;
        }
        return count;
    }

    @Override
    public String toString() {
        return text;
    }
}
