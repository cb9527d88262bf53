package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits that are about to be pushed together. They are allowed if the range is approved as one change, or if each
 * commit is approved.
 *
 * @param base the commit already on the remote that the range is compared with; null: see {@code fromNothing}
 * @param fromNothing whether no commit precedes them; otherwise, without a base, there is no single commit to compare
 *     with
 */
public record Range(
        Repository repository,
        String name,
        String tip,
        List<Commit> commits,
        @Nullable String base,
        boolean fromNothing) {
    /** Each commit costs a call; a longer range must be approved as a whole. */
    static final int MAX_COMMITS = 1_000;

    public record Commit(String id, List<String> parents) {}

    public Range {
        commits = List.copyOf(commits);
    }

    public boolean isEmpty() {
        return commits.isEmpty();
    }

    public boolean isTooLong() {
        return commits.size() > MAX_COMMITS;
    }

    public boolean hasWhole() {
        return base != null || fromNothing;
    }

    /** The range as one change. */
    public Change whole() {
        if (isEmpty()) { // without commits there is no base either; that must not make everything count as new
            return Change.on(List.of(tip), name + " (no commits)", repository.between(tip, tip));
        }
        if (!hasWhole()) {
            throw new GitFailure(
                    name + " has more than one starting point, so it cannot be checked as one change; get each commit"
                            + " approved on its own, or merge what is there already and try again");
        }
        String size = isTooLong()
                ? "more than " + MAX_COMMITS + " commits"
                : commits.size() == 1 ? "1 commit" : commits.size() + " commits";
        return Change.on(
                base == null ? List.of() : List.of(base), name + " (" + size + ")", repository.between(base, tip));
    }

    public Change change(Commit commit) {
        return repository.commit(commit);
    }

    /** Its name for {@code holdfast gate --range}. */
    public String expression() {
        return (base == null ? "" : base.substring(0, 12) + "..") + tip.substring(0, 12);
    }
}
