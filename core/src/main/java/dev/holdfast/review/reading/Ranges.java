package dev.holdfast.review.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which characters of a text were shown: sorted ranges with gaps between them. */
record Ranges(List<Range> all) {
    /** @param to the end, exclusive */
    record Range(int from, int to) {
        int length() {
            return to - from;
        }
    }

    static final Ranges NONE = new Ranges(List.of());

    /** With more ranges than this, the shortest are forgotten and have to be read again. */
    static final int MAX = 200;

    /** Parses what {@link #toString} wrote. */
    static Ranges read(String written) {
        return new Ranges(Stream.of(written.split(","))
                .filter(one -> !one.isEmpty())
                .map(one -> one.split("-"))
                .map(ends -> new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])))
                .toList());
    }

    /** Adds a range; ranges that touch are merged. */
    Ranges with(int from, int to) {
        if (from >= to) {
            return this;
        }
        int first = from;
        int last = to;
        List<Range> merged = new ArrayList<>();
        for (Range range : all) {
            if (range.to < from || range.from > to) {
                merged.add(range);
            } else {
                first = Math.min(first, range.from);
                last = Math.max(last, range.to);
            }
        }
        merged.add(new Range(first, last));
        if (merged.size() > MAX) {
            merged.remove(
                    merged.stream().min(Comparator.comparingInt(Range::length)).orElseThrow());
        }
        merged.sort(Comparator.comparingInt(Range::from));
        return new Ranges(List.copyOf(merged));
    }

    /** How many characters the ranges cover. */
    int length() {
        return all.stream().mapToInt(Range::length).sum();
    }

    /** The parts of a text of this length that no range covers. */
    List<Range> missing(int whole) {
        List<Range> gaps = new ArrayList<>();
        int next = 0;
        for (Range range : all) {
            if (range.from > next) {
                gaps.add(new Range(next, range.from));
            }
            next = range.to;
        }
        if (next < whole) {
            gaps.add(new Range(next, whole));
        }
        return gaps;
    }

    @Override
    public String toString() {
        return all.stream().map(range -> range.from + "-" + range.to).collect(Collectors.joining(","));
    }
}
