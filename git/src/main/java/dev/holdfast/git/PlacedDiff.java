package dev.holdfast.git;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A change of which the text alone says where it goes. The three lines around a change may stand at several places of a file, and
 * who reads them cannot tell which is meant; so a file's part has as much context as makes the old lines of each of its hunks
 * stand only once in the file that they are taken from.
 *
 * @param text with that context, where it is possible; what reviewers should read
 * @param plain with git's usual three lines for all files
 * @param standsOnce whether it was possible: not with lines that repeat over hundreds of others
 * @param digits so many of git's ids are needed to tell each version that it was made from from all else in the repository
 */
public record PlacedDiff(String text, String plain, boolean standsOnce, int digits) {
    /** So many digits of an id git shows at least. */
    public static final int LEAST_DIGITS = 7;

    /** More is more than anybody reads. */
    private static final int MOST_CONTEXT = 400;

    /** What it takes from a repository. */
    public interface Source {
        /** A diff of git's. */
        String diff(int context);

        /** Contents by git's ids, in that order; a failure of kind {@link GitFailure.Kind#TOO_MUCH} when they are too large. */
        List<Optional<byte[]>> contents(List<String> ids);

        /** How many digits of these ids no other id has, at least {@link #LEAST_DIGITS}. */
        int digits(List<String> ids);
    }

    /** Finds the context. */
    public static PlacedDiff of(Source source) {
        String plain = source.diff(ExactDiff.CONTEXT);
        List<FileDiff> parts = FileDiff.all(plain);
        List<String> bases =
                parts.stream().filter(FileDiff::hasBase).map(FileDiff::before).toList();
        PlacedDiff unplaced =
                new PlacedDiff(plain, plain, false, bases.isEmpty() ? LEAST_DIGITS : source.digits(bases));
        Optional<List<FileLines>> before = before(source, parts);
        if (before.isEmpty()) {
            return unplaced;
        }
        List<FileDiff> chosen = new ArrayList<>(parts);
        int context = ExactDiff.CONTEXT;
        while (!allStandOnce(chosen, before.get())) {
            context += context / 2 + 1;
            if (context > MOST_CONTEXT || !grow(chosen, before.get(), source, context)) {
                return unplaced;
            }
        }
        return new PlacedDiff(FileDiff.text(chosen), plain, true, unplaced.digits);
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
     * stood once in the versions in which they were reviewed. (Bytes have no lines; of them it must be the same version.) Those must be versions that the files have had in the history that
     * this goes on top of. What a proposer made up is none, for only approved content gets there.
     */
    public boolean hasOnlyMoved(List<Reviewed> files, History history) {
        if (!standsOnce) {
            return false;
        }
        List<FileDiff> based =
                FileDiff.all(text).stream().filter(FileDiff::hasBase).toList();
        Set<FileDiff> seen = new HashSet<>();
        for (Reviewed file : files) {
            // files of one content have one id; each must hold for all of them, as it does not say for which
            List<FileDiff> parts = based.stream()
                    .filter(part -> part.before().equals(file.now()))
                    .toList();
            if (!parts.isEmpty() && !isSamePlace(parts, file, history)) {
                return false;
            }
            seen.addAll(parts);
        }
        return seen.size() == based.size();
    }

    private static boolean isSamePlace(List<FileDiff> parts, Reviewed file, History history) {
        if (file.reviewed().equals(file.now())) {
            return true;
        }
        // what is done to bytes says nothing of the bytes around it
        if (!parts.stream().allMatch(FileDiff::hasPlace)) {
            return false;
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

    /** Takes the larger part of each file that needs it; false when git prints too much. */
    private static boolean grow(List<FileDiff> chosen, List<FileLines> before, Source source, int context) {
        List<FileDiff> larger;
        try {
            larger = FileDiff.all(source.diff(context));
        } catch (GitFailure e) {
            if (e.kind() == GitFailure.Kind.TOO_MUCH) {
                return false;
            }
            throw e;
        }
        if (larger.size() != chosen.size()) {
            throw new GitFailure("git reports different files when asked for more context");
        }
        for (int at = 0; at < chosen.size(); at++) {
            if (!chosen.get(at).standsOnceIn(before.get(at))) {
                chosen.set(at, larger.get(at));
            }
        }
        return true;
    }

    /** What each part was made from, nothing where it does not matter; empty when there is too much of it. */
    private static Optional<List<FileLines>> before(Source source, List<FileDiff> parts) {
        List<String> ids =
                parts.stream().filter(FileDiff::hasPlace).map(FileDiff::before).toList();
        try {
            List<Optional<byte[]>> found = source.contents(ids);
            List<FileLines> before = new ArrayList<>();
            int at = 0;
            for (FileDiff part : parts) {
                before.add(FileLines.of(
                        part.hasPlace()
                                ? found.get(at++)
                                        .orElseThrow(
                                                () -> new GitFailure(
                                                        "git cannot find " + part.before()
                                                                + ", although the diff refers to it; is the repository damaged? Check with git fsck"))
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
