package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import java.util.ArrayList;
import java.util.List;

/**
 * One name of a {@link Glob}: a row of parts, each for one character, or for any number of them.
 *
 * @param anyDepth the two stars that stand for any number of names
 */
record GlobName(List<Part> parts, boolean anyDepth) {
    private static final int LAST = Character.MAX_CODE_POINT;

    /** What one place of a name may hold. */
    sealed interface Part {}

    /** Any number of any characters. */
    record Star() implements Part {}

    /** One character out of these ranges. */
    record One(List<Range> ranges) implements Part {
        boolean meets(One other) {
            return ranges.stream().anyMatch(mine -> other.ranges.stream().anyMatch(mine::meets));
        }
    }

    record Range(int first, int last) {
        boolean meets(Range other) {
            return first <= other.last && other.first <= last;
        }
    }

    private static final One ANY = new One(List.of(new Range(0, '/' - 1), new Range('/' + 1, LAST)));

    static GlobName of(String name, String glob) {
        return name.equals("**") ? new GlobName(List.of(), true) : new GlobName(read(name, glob), false);
    }

    private static List<Part> read(String name, String glob) {
        int[] text = name.codePoints().toArray();
        List<Part> parts = new ArrayList<>();
        for (int at = 0; at < text.length; at++) {
            switch (text[at]) {
                case '*' -> {
                    if (parts.isEmpty() || !(parts.getLast() instanceof Star)) {
                        parts.add(new Star());
                    }
                }
                case '?' -> parts.add(ANY);
                case '[' -> {
                    int end = closing(text, at, glob);
                    parts.add(set(text, at + 1, end, glob));
                    at = end;
                }
                case '{', '}' ->
                    throw new InvalidException(
                            "path '" + glob
                                    + "' has braces; give each alternative as a path of its own, or write \\{ for the character");
                case '\\' -> {
                    if (++at == text.length) {
                        throw new InvalidException("path '" + glob + "' ends with a backslash that escapes nothing");
                    }
                    parts.add(one(text[at], text[at]));
                }
                default -> parts.add(one(text[at], text[at]));
            }
        }
        return List.copyOf(parts);
    }

    /** Where the set that begins here ends; a bracket right at its beginning belongs to it. */
    private static int closing(int[] text, int open, String glob) {
        int at = open + 1;
        if (at < text.length && negates(text[at])) {
            at++;
        }
        for (at++; at < text.length; at++) {
            if (text[at] == ']') {
                return at;
            }
        }
        throw new InvalidException("path '" + glob + "' has a [ without its ]; write \\[ for the character");
    }

    private static One set(int[] text, int from, int end, String glob) {
        boolean not = negates(text[from]);
        List<Range> ranges = new ArrayList<>();
        for (int at = not ? from + 1 : from; at < end; at++) {
            int first = text[at];
            int last = first;
            if (at + 2 < end && text[at + 1] == '-') {
                last = text[at + 2];
                at += 2;
            }
            if (last < first) {
                throw new InvalidException("path '" + glob + "' has a range that ends before it begins");
            }
            ranges.add(new Range(first, last));
        }
        List<Range> chosen = not ? without(ANY.ranges(), ranges) : without(ranges, List.of(new Range('/', '/')));
        if (chosen.isEmpty()) {
            throw new InvalidException("path '" + glob + "' has a set that no character is in");
        }
        return new One(chosen);
    }

    private static boolean negates(int c) {
        return c == '!' || c == '^';
    }

    private static List<Range> without(List<Range> ranges, List<Range> taken) {
        List<Range> left = List.copyOf(ranges);
        for (Range out : taken) {
            List<Range> next = new ArrayList<>();
            for (Range range : left) {
                if (!range.meets(out)) {
                    next.add(range);
                    continue;
                }
                if (range.first() < out.first()) {
                    next.add(new Range(range.first(), out.first() - 1));
                }
                if (out.last() < range.last()) {
                    next.add(new Range(out.last() + 1, range.last()));
                }
            }
            left = List.copyOf(next);
        }
        return left;
    }

    private static One one(int first, int last) {
        return new One(List.of(new Range(first, last)));
    }

    /** Whether some name fits both; neither stands for any depth. */
    boolean overlaps(GlobName other) {
        boolean[][] reached = new boolean[parts.size() + 1][other.parts.size() + 1];
        reached[0][0] = true;
        for (int here = 0; here <= parts.size(); here++) {
            for (int there = 0; there <= other.parts.size(); there++) {
                if (reached[here][there]) {
                    goOn(other, here, there, reached);
                }
            }
        }
        return reached[parts.size()][other.parts.size()];
    }

    /** Marks what can be reached from here with one character, or with none. */
    private void goOn(GlobName other, int here, int there, boolean[][] reached) {
        Part mine = here < parts.size() ? parts.get(here) : null;
        Part its = there < other.parts.size() ? other.parts.get(there) : null;
        if (mine instanceof Star) {
            reached[here + 1][there] = true;
        }
        if (its instanceof Star) {
            reached[here][there + 1] = true;
        }
        if (mine instanceof Star && its instanceof One) {
            reached[here][there + 1] = true;
        }
        if (its instanceof Star && mine instanceof One) {
            reached[here + 1][there] = true;
        }
        if (mine instanceof One first && its instanceof One second && first.meets(second)) {
            reached[here + 1][there + 1] = true;
        }
    }
}
