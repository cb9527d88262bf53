package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What changed between two rounds: for each file, the difference between the two patched contents, as far as the diffs
 * show them. A round that was merely rebased, so that only its line numbers differ, is not a change.
 */
public record Interdiff(List<FileInterdiff> files) {
    public Interdiff {
        files = List.copyOf(files);
    }

    public static Interdiff between(Diff before, Diff after) {
        Map<String, List<FileChange>> left = before.byPath();
        Map<String, List<FileChange>> right = after.byPath();
        Map<String, String> partners = partners(left, right);
        List<FileInterdiff> files = new ArrayList<>();
        left.forEach((path, changes) -> {
            String partner = partners.get(path);
            files.add(FileInterdiff.between(
                    changes, partner == null ? List.of() : Objects.requireNonNull(right.get(partner))));
        });
        right.forEach((path, changes) -> {
            if (!partners.containsValue(path)) {
                files.add(FileInterdiff.between(List.of(), changes));
            }
        });
        return new Interdiff(files);
    }

    /** Whether both rounds do the same to the same files. */
    public boolean isEmpty() {
        return files.stream().allMatch(file -> file.status() == FileInterdiff.Status.UNCHANGED);
    }

    /** Returns a unified diff from the earlier round's content to the later one's; empty if nothing changed. */
    public String text() {
        StringBuilder text = new StringBuilder();
        files.forEach(file -> file.writeTo(text));
        return text.toString();
    }

    /** Pairs files of the same path; of the rest, those with the same origin, which were renamed differently. */
    private static Map<String, String> partners(
            Map<String, List<FileChange>> left, Map<String, List<FileChange>> right) {
        Map<String, String> partners = new LinkedHashMap<>();
        left.keySet().stream().filter(right::containsKey).forEach(path -> partners.put(path, path));
        Map<String, String> byOrigin = new HashMap<>();
        right.forEach((path, changes) -> {
            String origin = origin(changes);
            if (origin != null && !partners.containsKey(path)) {
                byOrigin.putIfAbsent(origin, path);
            }
        });
        left.forEach((path, changes) -> {
            String origin = origin(changes);
            if (origin != null && !partners.containsKey(path)) {
                String partner = byOrigin.remove(origin);
                if (partner != null) {
                    partners.put(path, partner);
                }
            }
        });
        return partners;
    }

    private static @Nullable String origin(List<FileChange> changes) {
        return changes.getFirst().oldPath();
    }
}
