package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A pattern for paths in a repository. It covers what it matches and everything below that, so that naming a folder is
 * enough.
 *
 * <p>{@code *} matches any characters within one name, {@code ?} one character, {@code [a-z]} and {@code [!a-z]} one
 * character of a set, {@code **} as a whole name any number of names, including none; a backslash escapes the next
 * character. Matching is case-sensitive.
 */
public record Glob(String text, List<GlobName> names) {
    private static final int MAX = 50;
    private static final int LONGEST = 1_000;
    private static final int LONGEST_TOGETHER = 10_000;
    private static final int DEEPEST = 100;
    private static final int MAX_WILDCARDS = 50;
    /** The longest path that Linux allows. */
    private static final int LONGEST_LITERAL = 4_096;

    /**
     * The globs of one reservation.
     *
     * @throws InvalidException saying what is wrong with them
     */
    public static List<Glob> all(Collection<String> paths) {
        if (paths.isEmpty() || paths.size() > MAX) {
            throw new InvalidException("paths must be 1 to " + MAX + " globs, not " + paths.size());
        }
        int together = paths.stream().mapToInt(String::length).sum();
        if (together > LONGEST_TOGETHER) {
            throw new InvalidException("paths must be at most " + LONGEST_TOGETHER + " characters in total, not "
                    + together + "; name folders instead of their files");
        }
        return paths.stream().map(Glob::of).toList();
    }

    /** @throws InvalidException saying what is wrong with it */
    public static Glob of(String text) {
        Text.limited("path", text, LONGEST);
        Glob glob = stored(text);
        if (glob.names.size() > DEEPEST) {
            throw new InvalidException("path '" + text + "' is more than " + DEEPEST + " levels deep");
        }
        if (glob.names.stream().anyMatch(GlobName::tooLong)) {
            throw new InvalidException(
                    "path '" + text + "' has a name longer than " + GlobName.LONGEST + " characters");
        }
        if (glob.names.stream().mapToInt(GlobName::wildcards).sum() > MAX_WILDCARDS) {
            throw new InvalidException("path '" + text + "' has more than " + MAX_WILDCARDS
                    + " wildcards; name the folder that they are in, or give several paths");
        }
        return glob;
    }

    /** A glob that was accepted before, perhaps under other limits. */
    static Glob stored(String text) {
        return new Glob(
                text,
                Arrays.stream(names(text)).map(name -> GlobName.of(name, text)).toList());
    }

    /** A path taken literally, whatever characters it contains. */
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
                throw new InvalidException("path '" + text + "' must not contain empty names, '.' or '..'");
            }
        }
        return names;
    }

    /**
     * Whether some path could be covered by both.
     *
     * <p>Only the names before the first {@code **} of either matter. After it there is always a path that both cover:
     * since each covers everything below what it matches, one can first extend through everything that the other
     * requires, and then satisfy its own rest.
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

    /** How many names come before the first {@code **}. */
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
