package dev.holdfast.review.diff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parsed change, as {@code git diff}, {@code git format-patch} or {@code diff -u} writes it. {@snippet :
 * switch (Diff.parse(text)) {
 *     case Diff diff -> accept(ContentHash.of(diff), diff.affectedFiles());
 *     case DiffProblem problem -> refuse("the diff cannot be read: " + problem);
 * }
 * }
 *
 * @param text the original text, unchanged
 * @param normalised the text with what {@code $(git diff)} and {@code strip()} cut off its end restored: the final
 *     newline, the empty line that ends a binary patch, and empty context lines that the last hunk's header counts.
 *     Nothing else is changed. This is the input for {@code git apply}, which calls a diff without its final newline
 *     corrupt.
 * @param files in the order of the text; a series of patches may name a file more than once
 * @param starts the character offset of each file's part of the text
 * @param strip how many leading folders the paths in the text have ({@code git apply -p}): 1 for {@code a/x b/x} and
 *     the like, 0 for {@code --no-prefix}
 */
public record Diff(String text, String normalised, List<FileChange> files, List<Integer> starts, int strip)
        implements ParseResult {
    public Diff {
        files = List.copyOf(files);
        starts = List.copyOf(starts);
    }

    /** Parses a diff in time linear in its length. Never throws, whatever the text. */
    public static ParseResult parse(String text) {
        try {
            return new DiffParser(text).parse();
        } catch (BadDiffException bad) {
            return bad.problem();
        }
    }

    /** Returns one entry for each path, in the order of the text. */
    public List<AffectedFile> affectedFiles() {
        Map<String, AffectedFile> byPath = new LinkedHashMap<>();
        for (FileChange file : files) {
            byPath.merge(file.path(), AffectedFile.of(file), AffectedFile::then);
        }
        return List.copyOf(byPath.values());
    }

    /** The files by path; files of the same path stay in the order of the text, which matters there. */
    Map<String, List<FileChange>> byPath() {
        Map<String, List<FileChange>> byPath = new LinkedHashMap<>();
        for (FileChange file : files) {
            byPath.computeIfAbsent(file.path(), path -> new ArrayList<>()).add(file);
        }
        return byPath;
    }
}
