package dev.holdfast.git;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A change of which the text alone says where it goes. The three lines around a change may stand at several places of a file, and
 * who reads them cannot tell which is meant; so a file's part has as much context as makes the old lines of each of its hunks
 * stand only once in the file that they are taken from.
 *
 * @param text with that context, where it is possible; what reviewers should read
 * @param plain with git's usual three lines for all files
 * @param standsOnce whether it was possible: not with lines that repeat over hundreds of others
 */
public record PlacedDiff(String text, String plain, boolean standsOnce) {
    /** More is more than anybody reads. */
    private static final int MOST_CONTEXT = 400;

    /**
     * Finds the context.
     *
     * @param withContext a diff of git's with so many lines of context
     * @param contents by git's ids, in that order
     */
    public static PlacedDiff of(
            IntFunction<String> withContext, Function<List<String>, List<Optional<byte[]>>> contents) {
        String plain = withContext.apply(ExactDiff.CONTEXT);
        List<FileDiff> parts = FileDiff.all(plain);
        Optional<List<FileLines>> before = before(contents, parts);
        if (before.isEmpty()) {
            return new PlacedDiff(plain, plain, parts.stream().noneMatch(FileDiff::hasPlace));
        }
        List<FileDiff> chosen = new ArrayList<>(parts);
        int context = ExactDiff.CONTEXT;
        while (!allStandOnce(chosen, before.get())) {
            context += context / 2 + 1;
            if (context > MOST_CONTEXT || !grow(chosen, before.get(), withContext, context)) {
                return new PlacedDiff(plain, plain, false);
            }
        }
        return new PlacedDiff(FileDiff.text(chosen), plain, true);
    }

    /**
     * A file whose lines it changes, and the version of it in which somebody has reviewed the same change.
     *
     * @param path before the change
     * @param reviewed git's id of that version, or the beginning of it
     * @param now git's id of the version that this was made from
     */
    public record Reviewed(String path, String reviewed, String now) {}

    /** What the history of a repository has. */
    public interface History {
        /** A version that the file of this path has had; empty when there is none of that id, or more than one. */
        Optional<byte[]> version(String path, String id);
    }

    /**
     * Whether this is a change that was reviewed, and has only moved since: its lines stand once in the files as they are, and
     * stood once in the versions in which they were reviewed. Those must be versions that the files have had in the history that
     * this goes on top of. What a proposer made up is none, for only approved content gets there.
     */
    public boolean hasOnlyMoved(List<Reviewed> files, History history) {
        if (!standsOnce) {
            return false;
        }
        List<FileDiff> placed =
                FileDiff.all(text).stream().filter(FileDiff::hasPlace).toList();
        Set<FileDiff> seen = new HashSet<>();
        for (Reviewed file : files) {
            // files of one content have one id; each must hold for all of them, as it does not say for which
            List<FileDiff> parts = placed.stream()
                    .filter(part -> part.before().equals(file.now()))
                    .toList();
            if (!parts.isEmpty() && !isSamePlace(parts, file, history)) {
                return false;
            }
            seen.addAll(parts);
        }
        return seen.size() == placed.size();
    }

    private static boolean isSamePlace(List<FileDiff> parts, Reviewed file, History history) {
        if (file.reviewed().equals(file.now())) {
            return true;
        }
        Optional<FileLines> before = file.reviewed().isEmpty()
                ? Optional.empty()
                : history.version(file.path(), file.reviewed()).map(FileLines::of);
        return before.isPresent() && parts.stream().allMatch(part -> part.standsOnceIn(before.get()));
    }

    private static boolean allStandOnce(List<FileDiff> parts, List<FileLines> before) {
        for (int at = 0; at < parts.size(); at++) {
            if (!parts.get(at).standsOnceIn(before.get(at))) {
                return false;
            }
        }
        return true;
    }

    /** Takes the larger part of each file that needs it; false when git has too much to tell. */
    private static boolean grow(
            List<FileDiff> chosen, List<FileLines> before, IntFunction<String> withContext, int context) {
        List<FileDiff> larger;
        try {
            larger = FileDiff.all(withContext.apply(context));
        } catch (GitFailure e) {
            if (e.kind() == GitFailure.Kind.TOO_MUCH) {
                return false;
            }
            throw e;
        }
        if (larger.size() != chosen.size()) {
            throw new GitFailure("git tells of other files when asked for more context");
        }
        for (int at = 0; at < chosen.size(); at++) {
            if (!chosen.get(at).standsOnceIn(before.get(at))) {
                chosen.set(at, larger.get(at));
            }
        }
        return true;
    }

    /** What each part was made from, nothing where it does not matter; empty when there is too much of it. */
    private static Optional<List<FileLines>> before(
            Function<List<String>, List<Optional<byte[]>>> contents, List<FileDiff> parts) {
        List<String> ids =
                parts.stream().filter(FileDiff::hasPlace).map(FileDiff::before).toList();
        try {
            List<Optional<byte[]>> found = contents.apply(ids);
            List<FileLines> before = new ArrayList<>();
            int at = 0;
            for (FileDiff part : parts) {
                before.add(FileLines.of(
                        part.hasPlace()
                                ? found.get(at++)
                                        .orElseThrow(
                                                () -> new GitFailure(
                                                        "git does not find " + part.before()
                                                                + ", which it has made a diff of; is the repository whole? git fsck tells"))
                                : new byte[0]));
            }
            return Optional.of(before);
        } catch (GitFailure e) {
            if (e.kind() == GitFailure.Kind.TOO_MUCH) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
