package dev.holdfast.work;

import dev.holdfast.claim.InvalidException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One name of a {@link Glob}: a sequence of parts, each matching one character, or any number of them.
 *
 * @param anyDepth the {@code **} that matches any number of names
 */
record GlobName(List<Part> parts, boolean anyDepth) {
    /** No file system allows longer names. */
    static final int LONGEST = 255;

    private static final int LAST = Character.MAX_CODE_POINT;

    /** What one position of a name may match. */
    sealed interface Part {}

    /** Any number of any characters. */
    record Star() implements Part {}

    /** One character from these ranges, which are sorted and do not touch. */
    record One(List<Range> ranges) implements Part {
        boolean meets(One other) {
            int mine = 0;
            int its = 0;
            while (mine < ranges.size() && its < other.ranges.size()) {
                Range here = ranges.get(mine);
                Range there = other.ranges.get(its);
                if (here.meets(there)) {
                    return true;
                }
                if (here.last() < there.first()) {
                    mine++;
                } else {
                    its++;
                }
            }
            return false;
        }

        boolean isSet() {
            return ranges.size() > 1
                    || ranges.getFirst().first() < ranges.getFirst().last();
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

    /** A name taken literally, whatever characters it contains. */
    static GlobName literal(String name) {
        return new GlobName(name.codePoints().<Part>mapToObj(c -> one(c, c)).toList(), false);
    }

    boolean tooLong() {
        return parts.size() > LONGEST;
    }

    /** How many of its parts match more than one character. */
    int wildcards() {
        return anyDepth
                ? 1
                : (int) parts.stream()
                        .filter(part -> part instanceof Star || (part instanceof One one && one.isSet()))
                        .count();
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

    /** Where the set that begins here ends; a bracket right at its start belongs to the set. */
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
        throw new InvalidException("path '" + glob + "' has a [ without a matching ]; write \\[ for the character");
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
        List<Range> plain = inOrder(ranges);
        List<Range> chosen = not ? without(ANY.ranges(), plain) : without(plain, List.of(new Range('/', '/')));
        if (chosen.isEmpty()) {
            throw new InvalidException("path '" + glob + "' has an empty character set");
        }
        return new One(chosen);
    }

    private static boolean negates(int c) {
        return c == '!' || c == '^';
    }

    private static List<Range> inOrder(List<Range> ranges) {
        List<Range> plain = new ArrayList<>();
        for (Range range :
                ranges.stream().sorted(Comparator.comparingInt(Range::first)).toList()) {
            if (plain.isEmpty() || plain.getLast().last() + 1 < range.first()) {
                plain.add(range);
            } else {
                Range before = plain.removeLast();
                plain.add(new Range(before.first(), Math.max(before.last(), range.last())));
            }
        }
        return plain;
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

    /**
     * Whether some name matches both; neither may be {@code **}.
     *
     * <p>If both have a star, only what comes before the first and after the last star matters: what is between fits
     * into a star of the other. If only one has a star, its pieces are searched in the other one after another, each as
     * early as possible. So two names cost at most the product of their lengths, whatever they contain.
     */
    boolean overlaps(GlobName other) {
        boolean here = firstStar() < parts.size();
        boolean there = other.firstStar() < other.parts.size();
        if (here && there) {
            int before = Math.min(firstStar(), other.firstStar());
            int behind = Math.min(behindLastStar(), other.behindLastStar());
            return meets(0, other, 0, before)
                    && meets(parts.size() - behind, other, other.parts.size() - behind, behind);
        }
        if (here) {
            return fits(other);
        }
        return there ? other.fits(this) : parts.size() == other.parts.size() && meets(0, other, 0, parts.size());
    }

    /** Whether this name, with its stars, can match one without stars. */
    private boolean fits(GlobName plain) {
        int behind = behindLastStar();
        int end = plain.parts.size() - behind;
        int at = firstStar();
        if (at > end || !meets(0, plain, 0, at) || !meets(parts.size() - behind, plain, end, behind)) {
            return false;
        }
        int piece = at + 1;
        while (piece < parts.size() - behind) {
            int length = nextStar(piece) - piece;
            while (at + length <= end && !meets(piece, plain, at, length)) {
                at++;
            }
            at += length;
            piece += length + 1;
            if (at > end) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether this many parts from here, none of them a star, can match the same characters as the other's parts from
     * there.
     */
    private boolean meets(int here, GlobName other, int there, int count) {
        for (int i = 0; i < count; i++) {
            if (!((One) parts.get(here + i)).meets((One) other.parts.get(there + i))) {
                return false;
            }
        }
        return true;
    }

    private int firstStar() {
        return nextStar(0);
    }

    /** The index of the next star from here on; the end if there is none. */
    private int nextStar(int from) {
        int at = from;
        while (at < parts.size() && !(parts.get(at) instanceof Star)) {
            at++;
        }
        return at;
    }

    private int behindLastStar() {
        int count = 0;
        while (count < parts.size() && !(parts.get(parts.size() - 1 - count) instanceof Star)) {
            count++;
        }
        return count;
    }
}
