package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits that are about to go in together. They may when the whole of them is approved as one change, or when each
 * commit is approved by itself.
 *
 * @param base the commit that is in already and that the whole is compared with; null: see {@code fromNothing}
 * @param fromNothing there is no commit before them; otherwise, without a base, there is no one commit to compare with
 */
public record Range(
        Repository repository,
        String name,
        String tip,
        List<Commit> commits,
        @Nullable String base,
        boolean fromNothing) {
    /** Each costs a call; beyond that, the whole must be approved as one. */
    static final int MOST_COMMITS = 1_000;

    public record Commit(String id, List<String> parents) {}

    public Range {
        commits = List.copyOf(commits);
    }

    public boolean isEmpty() {
        return commits.isEmpty();
    }

    public boolean isTooLong() {
        return commits.size() > MOST_COMMITS;
    }

    public boolean hasWhole() {
        return base != null || fromNothing;
    }

    /** All of it as one change. */
    public Change whole() {
        if (isEmpty()) { // without a commit there is no base either, which must not make everything new
            return Change.on(List.of(tip), name + " (no commits)", repository.between(tip, tip));
        }
        if (!hasWhole()) {
            throw new GitFailure(
                    name + " has more than one starting point, so it cannot be checked as one change; get each commit"
                            + " approved on its own, or merge what is there already and try again");
        }
        String size = isTooLong()
                ? "more than " + MOST_COMMITS + " commits"
                : commits.size() == 1 ? "1 commit" : commits.size() + " commits";
        return Change.on(
                base == null ? List.of() : List.of(base), name + " (" + size + ")", repository.between(base, tip));
    }

    public Change change(Commit commit) {
        return repository.commit(commit);
    }

    /** How to name it to {@code holdfast gate --range}. */
    public String expression() {
        return (base == null ? "" : base.substring(0, 12) + "..") + tip.substring(0, 12);
    }
}
