package dev.holdfast.review.diff;

import dev.holdfast.review.diff.Alignment.Gap;
import dev.holdfast.review.diff.ChangeRuns.Entry;
import dev.holdfast.review.diff.DiffLine.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns two rounds' diffs of one file into the difference between the resulting contents.
 *
 * <p>A line that only one round shows, as context, is assumed to be in both contents: the other round's diff just does
 * not extend to it. A line that only the earlier round adds is gone; one that only the earlier round removes is back.
 */
final class LineComparison {
    private static final int CONTEXT = 3;

    private final List<DiffLine> before;
    private final List<DiffLine> after;
    private List<Entry> entries = new ArrayList<>();
    /** How far the later content's line numbers are ahead of the earlier's, where only one of them is known. */
    private int ahead;

    LineComparison(List<DiffLine> before, List<DiffLine> after) {
        this.before = before;
        this.after = after;
    }

    List<Hunk> hunks() {
        Alignment alignment = Alignment.of(before, after);
        for (Gap gap : alignment.gaps(after.size())) {
            onlyInOne(gap, alignment.isSameBase());
            if (gap.beforeEnd() < before.size() && gap.afterEnd() < after.size()) {
                inBoth(before.get(gap.beforeEnd()), after.get(gap.afterEnd()));
            }
        }
        entries = ChangeRuns.shortest(entries);
        List<Hunk> hunks = new ArrayList<>();
        int at = 0;
        while (at < entries.size()) {
            if (entries.get(at).kind() == Kind.CONTEXT) {
                at++;
                continue;
            }
            int from = contextBefore(at);
            int to = endOfHunk(at);
            hunks.add(hunk(entries.subList(from, to)));
            at = to;
        }
        return hunks;
    }

    private void inBoth(DiffLine earlier, DiffLine later) {
        boolean was = earlier.kind().isOn(Side.NEW);
        boolean is = later.kind().isOn(Side.NEW);
        ahead = later.newNumber() - earlier.newNumber();
        if (was || is) {
            Kind kind = was && is ? Kind.CONTEXT : was ? Kind.REMOVED : Kind.ADDED;
            add(kind, later, earlier.newNumber());
        }
    }

    private void onlyInOne(Gap gap, boolean sameBase) {
        List<DiffLine> earlier = before.subList(gap.before(), gap.beforeEnd());
        List<DiffLine> later = after.subList(gap.after(), gap.afterEnd());
        // Both rounds remove different lines at the same position: the base changed there, and neither content has
        // them.
        boolean otherBase = !sameBase && removesAny(earlier) && removesAny(later) && isSamePlace(gap);
        int next = 0;
        for (DiffLine line : earlier) {
            while (sameBase && next < later.size() && isBefore(later.get(next), line)) {
                onlyAfter(later.get(next++), otherBase);
            }
            onlyBefore(line, otherBase);
        }
        later.subList(next, later.size()).forEach(line -> onlyAfter(line, otherBase));
    }

    /**
     * Whether a line comes first in the base that both rounds change; added lines come before the line they push down.
     */
    private static boolean isBefore(DiffLine line, DiffLine other) {
        int order = Integer.compare(line.oldNumber(), other.oldNumber());
        return order < 0 || (order == 0 && line.kind() == Kind.ADDED && other.kind() != Kind.ADDED);
    }

    private void onlyBefore(DiffLine line, boolean otherBase) {
        switch (line.kind()) {
            case CONTEXT -> add(Kind.CONTEXT, line, line.newNumber());
            case ADDED -> add(Kind.REMOVED, line, line.newNumber());
            case REMOVED -> {
                if (!otherBase) {
                    add(Kind.ADDED, line, line.newNumber());
                }
            }
        }
    }

    private void onlyAfter(DiffLine line, boolean otherBase) {
        if (line.kind() != Kind.REMOVED || !otherBase) {
            add(line.kind(), line, line.newNumber() - ahead);
        }
    }

    private void add(Kind kind, DiffLine line, int beforeNumber) {
        entries.add(new Entry(kind, line.content(), beforeNumber, beforeNumber + ahead));
        ahead += kind == Kind.ADDED ? 1 : kind == Kind.REMOVED ? -1 : 0;
    }

    private static boolean removesAny(List<DiffLine> lines) {
        return lines.stream().anyMatch(line -> line.kind() == Kind.REMOVED);
    }

    /** Whether the gap is inside one hunk in both rounds, next to a line that both have. */
    private boolean isSamePlace(Gap gap) {
        boolean joinedAbove = gap.before() > 0 && gap.after() > 0;
        boolean joinedBelow = gap.beforeEnd() < before.size() && gap.afterEnd() < after.size();
        return (joinedAbove
                        && isOneHunk(before, gap.before() - 1, gap.beforeEnd())
                        && isOneHunk(after, gap.after() - 1, gap.afterEnd()))
                || (joinedBelow
                        && isOneHunk(before, gap.before(), gap.beforeEnd() + 1)
                        && isOneHunk(after, gap.after(), gap.afterEnd() + 1));
    }

    private static boolean isOneHunk(List<DiffLine> lines, int from, int to) {
        for (int at = from + 1; at < to; at++) {
            DiffLine line = lines.get(at - 1);
            int oldNext = line.oldNumber() + (line.kind().isOn(Side.OLD) ? 1 : 0);
            int newNext = line.newNumber() + (line.kind().isOn(Side.NEW) ? 1 : 0);
            if (lines.get(at).oldNumber() != oldNext || lines.get(at).newNumber() != newNext) {
                return false;
            }
        }
        return true;
    }

    private int contextBefore(int change) {
        int from = change;
        while (from > 0
                && change - from < CONTEXT
                && entries.get(from - 1).kind() == Kind.CONTEXT
                && entries.get(from).follows(entries.get(from - 1))) {
            from--;
        }
        return from;
    }

    /** Changes closer than twice the context share a hunk, as in git. */
    private int endOfHunk(int change) {
        int lastChange = change;
        int at = change + 1;
        while (at < entries.size()
                && entries.get(at).follows(entries.get(at - 1))
                && at - lastChange <= 2 * CONTEXT + 1) {
            if (entries.get(at).kind() != Kind.CONTEXT) {
                lastChange = at;
            }
            at++;
        }
        return Math.min(at, lastChange + 1 + CONTEXT);
    }

    private static Hunk hunk(List<Entry> entries) {
        StringBuilder body = new StringBuilder();
        int added = 0;
        int removed = 0;
        for (Entry entry : entries) {
            added += entry.kind() == Kind.ADDED ? 1 : 0;
            removed += entry.kind() == Kind.REMOVED ? 1 : 0;
            entry.writeTo(body);
        }
        int oldCount = entries.size() - added;
        int newCount = entries.size() - removed;
        Entry first = entries.getFirst();
        return new Hunk(
                oldCount == 0 ? first.beforeNumber() - 1 : first.beforeNumber(),
                oldCount,
                newCount == 0 ? first.afterNumber() - 1 : first.afterNumber(),
                newCount,
                "",
                added,
                removed,
                body.toString());
    }
}
