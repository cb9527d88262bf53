package dev.holdfast.broker.dashboard.diff;

import java.util.List;

/**
 * A file of a change, ready to be read.
 *
 * @param number in the order of the diff, from 0: how forms name it
 * @param note what there is to say of it as a whole, such as that it was renamed; empty: nothing
 * @param from where its part of the diff begins, in characters
 * @param to where it ends
 */
public record FileView(
        int number,
        String path,
        boolean deleted,
        Risk risk,
        String note,
        int added,
        int removed,
        List<Row> rows,
        int from,
        int to) {
    /** The whole path as it is shown; forms and scripts name the file by {@code path}. */
    public String shown() {
        return Visible.line(path);
    }

    public String folder() {
        return Visible.line(path.substring(0, path.lastIndexOf('/') + 1));
    }

    public String name() {
        return Visible.line(path.substring(path.lastIndexOf('/') + 1));
    }

    /** The folder it is in, as short as can be told apart. */
    public String place() {
        String[] folders = folder().split("/");
        return folders.length <= 2
                ? String.join("/", folders)
                : folders[folders.length - 2] + "/" + folders[folders.length - 1];
    }

    /** On which side of the diff it is by that path: a file that is deleted has no new side. */
    public String side() {
        return deleted ? "old" : "new";
    }

    /** Its place in the page. */
    public String anchor() {
        return "file-" + number;
    }
}
