package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which version of each file a diff was made from, as its {@code index} lines tell. Only files of which it changes some lines
 * count: what comes or goes as a whole, and bytes, have no place.
 *
 * @param files by path; those of one path in the order of the diff
 */
public record Bases(List<Base> files) {
    /** So many digits of a version's id a diff has that was made by git's defaults; fewer tell nothing. */
    static final int DIGITS = 7;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{" + DIGITS + ",64}");

    /**
     * One file.
     *
     * @param path where it is after the change
     * @param oldPath where it was
     * @param version git's id of its content, in full or the beginning; empty when the diff does not tell
     */
    public record Base(String path, String oldPath, String version) {
        private boolean isSame(Base other) {
            return path.equals(other.path)
                    && version.isEmpty() == other.version.isEmpty()
                    && (version.startsWith(other.version) || other.version.startsWith(version));
        }
    }

    /** A file whose lines two diffs change alike, in two versions of it. */
    public record Pair(String oldPath, String reviewed, String asked) {}

    public Bases {
        files = List.copyOf(files);
    }

    public static Bases of(Diff diff) {
        return new Bases(diff.files().stream()
                .filter(FileChange::hasPlace)
                .map(file -> new Base(file.path(), String.valueOf(file.oldPath()), version(file)))
                .sorted(Comparator.comparing(Base::path))
                .toList());
    }

    static String version(FileChange file) {
        String id = file.oldBlob();
        return id != null && ID.matcher(id).matches() ? id : "";
    }

    /** Whether both are made from the same versions, as far as the shorter ids tell. */
    public boolean isSame(Bases other) {
        if (files.size() != other.files.size()) {
            return false;
        }
        for (int at = 0; at < files.size(); at++) {
            if (!files.get(at).isSame(other.files.get(at))) {
                return false;
            }
        }
        return true;
    }

    /** The versions of both, file by file, for diffs that say the same. */
    public List<Pair> beside(Bases asked) {
        List<Pair> pairs = new ArrayList<>();
        for (int at = 0; at < Math.min(files.size(), asked.files.size()); at++) {
            Base file = files.get(at);
            pairs.add(new Pair(file.oldPath, file.version, asked.files.get(at).version));
        }
        return pairs;
    }
}
