package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.ArrayList;
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
    private static final int LONGEST = 1_000;
    private static final int DEEPEST = 100;

    /** @throws InvalidException that says what is wrong with it */
    public static Glob of(String text) {
        Text.limited("path", text, LONGEST);
        String relative = text.startsWith("./") ? text.substring(2) : text;
        String plain = relative.endsWith("/") ? relative.substring(0, relative.length() - 1) : relative;
        if (plain.isBlank() || plain.startsWith("/")) {
            throw new InvalidException("path '" + text
                    + "' must be relative to the root of the repository, such as src/main or src/**/*.java");
        }
        List<GlobName> names = new ArrayList<>();
        for (String name : plain.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw new InvalidException("path '" + text + "' must not have empty names, '.' or '..' in it");
            }
            names.add(GlobName.of(name, text));
        }
        if (names.size() > DEEPEST) {
            throw new InvalidException("path '" + text + "' is deeper than " + DEEPEST + " names");
        }
        return new Glob(text, List.copyOf(names));
    }

    /** A path as it is, whatever characters it has. */
    public static Glob literal(String path) {
        return of(path.replaceAll("([\\\\*?\\[\\]{}])", "\\\\$1"));
    }

    /** Whether there can be a path that both cover. */
    public boolean overlaps(Glob other) {
        Boolean[][] known = new Boolean[names.size() + 1][other.names.size() + 1];
        return overlaps(other, 0, 0, known);
    }

    /**
     * Whether what is left of both, from these names on, covers some path. Where one has come to its end, everything
     * below is covered, and the other one can go on as it likes.
     */
    private boolean overlaps(Glob other, int here, int there, Boolean[][] known) {
        if (here == names.size() || there == other.names.size()) {
            return true;
        }
        Boolean before = known[here][there];
        if (before == null) {
            GlobName mine = names.get(here);
            GlobName its = other.names.get(there);
            if (mine.anyDepth()) {
                before = overlaps(other, here + 1, there, known) || overlaps(other, here, there + 1, known);
            } else if (its.anyDepth()) {
                before = overlaps(other, here, there + 1, known) || overlaps(other, here + 1, there, known);
            } else {
                before = mine.overlaps(its) && overlaps(other, here + 1, there + 1, known);
            }
            known[here][there] = before;
        }
        return before;
    }

    @Override
    public String toString() {
        return text;
    }
}
