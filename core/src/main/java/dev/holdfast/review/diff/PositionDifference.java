package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How two diffs with the same change at different positions differ: the first hunk with the most important difference.
 * A binary file has no lines; its numbers are 0.
 *
 * @param reviewed the old line at which the hunk starts in the reviewed diff
 * @param asked the same in the diff that is asked about
 * @param lines how many old lines the hunk has
 */
public record PositionDifference(String path, int reviewed, int asked, int lines, Difference difference) {
    /** The most important difference comes first. */
    public enum Difference {
        LINES,
        /** The same lines are given under a different heading than git prints. */
        HEADING,
        /** The version of the file that was reviewed is unknown. */
        UNKNOWN_VERSION,
        /** One of them is a link or an executable. */
        MODE,
        VERSION
    }

    /** Empty if they differ in more than this, or in none of it. */
    public static Optional<PositionDifference> of(Diff reviewed, Diff asked) {
        List<PositionDifference> all = new ArrayList<>();
        Map<String, List<FileChange>> others = asked.byPath();
        for (Map.Entry<String, List<FileChange>> file : reviewed.byPath().entrySet()) {
            List<FileChange> before = file.getValue();
            List<FileChange> now = others.getOrDefault(file.getKey(), List.of());
            if (before.size() != now.size()) {
                return Optional.empty();
            }
            for (int at = 0; at < before.size(); at++) {
                add(before.get(at), now.get(at), all);
            }
        }
        return all.stream().min(Comparator.comparing(PositionDifference::difference));
    }

    private static void add(FileChange reviewed, FileChange asked, List<PositionDifference> all) {
        if (!reviewed.hasBase() || reviewed.hunks().size() != asked.hunks().size()) {
            return;
        }
        for (int at = 0; at < reviewed.hunks().size(); at++) {
            Hunk before = reviewed.hunks().get(at);
            Hunk now = asked.hunks().get(at);
            if (before.oldStart() != now.oldStart() || before.newStart() != now.newStart()) {
                all.add(at(reviewed, before, now, Difference.LINES));
            } else if (!before.section().isEmpty() && !before.section().equals(now.section())) {
                all.add(at(reviewed, before, now, Difference.HEADING));
            }
        }
        if (!Objects.equals(reviewed.keptMode(), asked.keptMode())) {
            all.add(ofFile(reviewed, asked, Difference.MODE));
        }
        String version = BaseVersions.version(reviewed);
        if (version.isEmpty()) {
            all.add(ofFile(reviewed, asked, Difference.UNKNOWN_VERSION));
        } else if (!version.equals(BaseVersions.version(asked))) {
            all.add(ofFile(reviewed, asked, Difference.VERSION));
        }
    }

    private static PositionDifference ofFile(FileChange reviewed, FileChange asked, Difference difference) {
        return reviewed.hunks().isEmpty()
                ? new PositionDifference(reviewed.path(), 0, 0, 0, difference)
                : at(reviewed, reviewed.hunks().getFirst(), asked.hunks().getFirst(), difference);
    }

    private static PositionDifference at(FileChange file, Hunk reviewed, Hunk asked, Difference difference) {
        return new PositionDifference(
                file.path(), reviewed.oldStart(), asked.oldStart(), reviewed.oldCount(), difference);
    }
}
