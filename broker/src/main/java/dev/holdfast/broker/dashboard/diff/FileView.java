package dev.holdfast.broker.dashboard.diff;

import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Hunk;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of a change, ready to be read.
 *
 * @param number its place in the diff, from 0; forms name it by this
 * @param beside old and new in two columns
 * @param from where its part of the diff begins, in characters
 * @param to where it ends
 * @param longest how many characters of a line are shown
 */
public record FileView(int number, FileChange change, Risk risk, boolean beside, int from, int to, int longest) {
    /** About how many characters a row adds to the page, besides its text. */
    private static final int ROW = 180;

    public String path() {
        return change.path();
    }

    public int added() {
        return change.added();
    }

    public int removed() {
        return change.removed();
    }

    /** Built on demand: most files of a large change are never asked for. */
    public List<DiffRow> rows() {
        return Rows.of(change, beside, longest);
    }

    /** The same with long lines shown whole. */
    public FileView uncut() {
        return new FileView(number, change, risk, beside, from, to, Integer.MAX_VALUE);
    }

    /** How many of its lines are not shown whole. */
    public long cutLines() {
        return change.hunks().stream()
                .flatMap(hunk -> hunk.lines().stream())
                .filter(line -> Rows.isCut(line.text(), longest))
                .count();
    }

    public boolean hasLines() {
        return !change.hunks().isEmpty();
    }

    public int lines() {
        return change.hunks().stream().mapToInt(FileView::lines).sum();
    }

    /** About how many characters its lines add to the page. */
    public long weight() {
        return change.hunks().stream()
                .mapToLong(hunk -> {
                    long lines = lines(hunk);
                    return lines * ROW
                            + 2 * Math.min(lines * Rows.LONGEST, hunk.body().length());
                })
                .sum();
    }

    private static int lines(Hunk hunk) {
        return hunk.oldCount() + hunk.added();
    }

    /** Whether its lines are shown only on request, because nobody writes such files by hand. */
    public boolean folded() {
        return risk.folded() && hasLines();
    }

    /** What kind of file it is or becomes, such as a symbolic link; empty: a plain file. */
    public String kind() {
        return FileKind.words(change);
    }

    /** The modes as the diff gives them; empty: it gives none. */
    public String modes() {
        return Stream.of(change.oldMode(), change.newMode() == null ? change.keptMode() : change.newMode())
                .filter(Objects::nonNull)
                .map(VisibleText::line)
                .collect(Collectors.joining(" → "));
    }

    /** Notes on the file as a whole, such as that it was renamed; empty: none. */
    public String note() {
        String moved = change.oldPath() != null
                        && change.newPath() != null
                        && !change.oldPath().equals(change.newPath())
                ? change.operation().word() + "d from " + VisibleText.line(change.oldPath())
                : "";
        String whole = switch (change.operation()) {
            case CREATE -> "new";
            case DELETE -> "deleted";
            case MODIFY, RENAME, COPY, MODE_CHANGE -> "";
        };
        String binary = change.binary() == null ? "" : "binary";
        return String.join(
                ", ",
                List.of(whole, moved, binary).stream()
                        .filter(part -> !part.isEmpty())
                        .toList());
    }

    /** All that is to be said about the file besides its lines; empty: nothing. */
    public String summary() {
        return Stream.of(kind(), note()).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    /** The whole path as shown; forms and scripts name the file by {@code path}. */
    public String shown() {
        return VisibleText.line(path());
    }

    public String folder() {
        return VisibleText.line(path().substring(0, path().lastIndexOf('/') + 1));
    }

    public String name() {
        return VisibleText.line(path().substring(path().lastIndexOf('/') + 1));
    }

    /** The last two folders of its path, which is usually enough to tell files apart. */
    public String place() {
        String[] folders = folder().split("/");
        return folders.length <= 2
                ? String.join("/", folders)
                : folders[folders.length - 2] + "/" + folders[folders.length - 1];
    }

    /** The side of the diff that has this path: a deleted file has no new side. */
    public String side() {
        return change.newPath() == null ? "old" : "new";
    }

    public String anchor() {
        return "file-" + number;
    }
}
