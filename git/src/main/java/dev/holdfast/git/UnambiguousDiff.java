package dev.holdfast.git;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A change whose text alone identifies its place. Three lines of context may occur at several places in a file, and a
 * reader cannot tell which is meant. So each file's part has enough context for the old lines of each hunk to occur
 * only once in the original file.
 *
 * @param text with that context, where possible; what reviewers should read
 * @param plain with git's usual three lines for all files
 * @param standsOnce whether it was possible: not for lines that repeat over hundreds of others
 * @param digits how many digits of git's ids distinguish each original version from everything else in the repository
 */
public record UnambiguousDiff(String text, String plain, boolean standsOnce, int digits) {
    /** The fewest digits of an id that git shows. */
    public static final int MIN_DIGITS = 7;

    /** More than this, nobody reads. */
    private static final int MAX_CONTEXT = 400;

    /** What it needs from a repository. */
    public interface Source {
        /** Git's diff with this many lines of context. */
        String diff(int context);

        /** Contents by git's ids, in that order; a failure of kind {@link GitFailure.Kind#TOO_MUCH} when they are too large. */
        List<Optional<byte[]>> contents(List<String> ids);

        /** How many digits make each of these ids unambiguous, at least {@link #MIN_DIGITS}. */
        int digits(List<String> ids);
    }

    /** Finds the context. */
    public static UnambiguousDiff of(Source source) {
        String plain = source.diff(ExactDiff.CONTEXT);
        List<FileDiff> parts = FileDiff.all(plain);
        List<String> bases =
                parts.stream().filter(FileDiff::hasBase).map(FileDiff::before).toList();
        UnambiguousDiff unplaced =
                new UnambiguousDiff(plain, plain, false, bases.isEmpty() ? MIN_DIGITS : source.digits(bases));
        Optional<List<FileLines>> before = before(source, parts);
        if (before.isEmpty()) {
            return unplaced;
        }
        List<FileDiff> chosen = new ArrayList<>(parts);
        int context = ExactDiff.CONTEXT;
        while (!allStandOnce(chosen, before.get())) {
            context += context / 2 + 1;
            if (context > MAX_CONTEXT || !grow(chosen, before.get(), source, context)) {
                return unplaced;
            }
        }
        return new UnambiguousDiff(FileDiff.text(chosen), plain, true, unplaced.digits);
    }

    /**
     * A file that this changes, and the version of it on which the same change was reviewed.
     *
     * @param path before the change
     * @param reviewed git's id of that version, in full or abbreviated
     * @param now git's id of the version that this was made from
     */
    public record Reviewed(String path, String reviewed, String now) {}

    /** The history of a repository. */
    public interface History {
        /** An earlier version of the file at this path; empty when the id is unknown or ambiguous. */
        Optional<byte[]> version(String path, String id);
    }

    /**
     * Whether this change was reviewed and has only moved since: its old lines occur once in the present files, and
     * once in the versions on which they were reviewed. (Binary files have no lines; they must be the same version.)
     * Those versions must be in the history that this is based on. Content that a proposer invented is not, because
     * only approved content gets there.
     */
    public boolean hasOnlyMoved(List<Reviewed> files, History history) {
        if (!standsOnce) {
            return false;
        }
        List<FileDiff> based =
                FileDiff.all(text).stream().filter(FileDiff::hasBase).toList();
        Set<FileDiff> seen = new HashSet<>();
        for (Reviewed file : files) {
            // files with the same content share an id; the check must hold for all of them, since the id does not say
            // which is meant
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
        // a binary change says nothing about the bytes around it
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

    /** Takes the version with more context for each file that needs it; false when git prints too much. */
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

    /** What each part was made from, empty where it does not matter; nothing at all when it is too large. */
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
