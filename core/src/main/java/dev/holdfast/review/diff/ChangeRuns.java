package dev.holdfast.review.diff;

import dev.holdfast.review.diff.DiffLine.Kind;
import java.util.ArrayList;
import java.util.List;

/** Makes runs of changes as short as possible: lines that a run removes and adds again have not changed. */
final class ChangeRuns {
    private ChangeRuns() {}

    /** A line of the contents, with the numbers that it has, or would have, in each. */
    record Entry(Kind kind, DiffLine.Content content, int beforeNumber, int afterNumber) {
        boolean follows(Entry earlier) {
            return near(earlier.beforeNumber, beforeNumber) || near(earlier.afterNumber, afterNumber);
        }

        void writeTo(StringBuilder text) {
            text.append(kind.mark()).append(content.text()).append('\n');
            if (content.noNewline()) {
                text.append("\\ No newline at end of file\n");
            }
        }

        private static boolean near(int earlier, int later) {
            return later == earlier || later == earlier + 1;
        }
    }

    static List<Entry> shortest(List<Entry> entries) {
        List<Entry> shortest = new ArrayList<>(entries.size());
        int at = 0;
        while (at < entries.size()) {
            int end = endOfRun(entries, at);
            if (end == at) {
                shortest.add(entries.get(at++));
            } else {
                shorten(entries.subList(at, end), shortest);
                at = end;
            }
        }
        return shortest;
    }

    private static int endOfRun(List<Entry> entries, int from) {
        int end = from;
        while (end < entries.size()
                && entries.get(end).kind() != Kind.CONTEXT
                && (end == from || entries.get(end).follows(entries.get(end - 1)))) {
            end++;
        }
        return end;
    }

    private static void shorten(List<Entry> run, List<Entry> shortest) {
        List<DiffLine.Content> removed = contents(run, Kind.REMOVED);
        List<DiffLine.Content> added = contents(run, Kind.ADDED);
        int[] addedOfRemoved = PatienceDiff.of(removed, added);
        Writer writer = new Writer(shortest, run.getFirst());
        int nextAdded = 0;
        for (int at = 0; at <= removed.size(); at++) {
            boolean last = at == removed.size();
            if (last || addedOfRemoved[at] >= 0) {
                int until = last ? added.size() : addedOfRemoved[at];
                added.subList(nextAdded, until).forEach(writer::added);
                nextAdded = until + 1;
            }
            if (!last && addedOfRemoved[at] >= 0) {
                writer.kept(removed.get(at));
            } else if (!last) {
                writer.removed(removed.get(at));
            }
        }
    }

    private static List<DiffLine.Content> contents(List<Entry> run, Kind kind) {
        return run.stream()
                .filter(entry -> entry.kind() == kind)
                .map(Entry::content)
                .toList();
    }

    /** Writes lines with their numbers in both contents. */
    private static final class Writer {
        private final List<Entry> written;
        private int beforeNumber;
        private int afterNumber;

        Writer(List<Entry> written, Entry first) {
            this.written = written;
            this.beforeNumber = first.beforeNumber();
            this.afterNumber = first.afterNumber();
        }

        void kept(DiffLine.Content content) {
            written.add(new Entry(Kind.CONTEXT, content, beforeNumber++, afterNumber++));
        }

        void removed(DiffLine.Content content) {
            written.add(new Entry(Kind.REMOVED, content, beforeNumber++, afterNumber));
        }

        void added(DiffLine.Content content) {
            written.add(new Entry(Kind.ADDED, content, beforeNumber, afterNumber++));
        }
    }
}
