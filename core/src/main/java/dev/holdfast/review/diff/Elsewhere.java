package dev.holdfast.review.diff;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where two diffs that say the same say it of different lines: the first hunk that differs in that, or the first of all when the
 * line numbers are alike and the versions of the file are not.
 *
 * @param reviewed the old line that it starts at in the one
 * @param asked the same in the other
 * @param lines how many old lines it has
 */
public record Elsewhere(String path, int reviewed, int asked, int lines) {
    /** Empty when they differ in more, or change no lines. */
    public static Optional<Elsewhere> of(Diff reviewed, Diff asked) {
        Map<String, List<FileChange>> others = asked.byPath();
        Optional<Elsewhere> first = Optional.empty();
        for (Map.Entry<String, List<FileChange>> file : reviewed.byPath().entrySet()) {
            List<Hunk> before = hunks(file.getValue());
            List<Hunk> now = hunks(others.getOrDefault(file.getKey(), List.of()));
            if (before.size() != now.size()) {
                return Optional.empty();
            }
            for (int at = 0; at < before.size(); at++) {
                Hunk hunk = before.get(at);
                Elsewhere here = new Elsewhere(
                        file.getKey(), hunk.oldStart(), now.get(at).oldStart(), hunk.oldCount());
                if (here.reviewed != here.asked) {
                    return Optional.of(here);
                }
                first = first.or(() -> Optional.of(here));
            }
        }
        return first;
    }

    private static List<Hunk> hunks(List<FileChange> changes) {
        return changes.stream()
                .filter(FileChange::hasPlace)
                .flatMap(change -> change.hunks().stream())
                .toList();
    }
}
