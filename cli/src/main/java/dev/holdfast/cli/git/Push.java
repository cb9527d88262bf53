package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What git passes to its pre-push hook: lines of local ref, local id, remote ref, remote id. For each ref that is pushed, what
 * counts is what that very ref has on the remote; that another branch of the remote has a commit says nothing about it,
 * for anybody may have put it there unreviewed.
 *
 * <ol>
 *   <li>In order already is what the remote has at the ref that is pushed to, by the id that git tells. It must be known
 *       here, else nothing can be compared with it.
 *   <li>So is what {@linkplain Repository#protectedBranches protected branches} have as last seen here: only approved content gets into
 *       them. Not so when one of those is itself pushed to: then only what git tells counts, for what was last seen may
 *       have been taken away since.
 *   <li>A new ref where no protected branch is known is refused, unless nothing at all is known of the remote: then
 *       everything is new.
 *   <li>A ref that is deleted or set back brings nothing.
 * </ol>
 */
public final class Push {
    private static final String BRANCH = "refs/heads/";

    private final Repository repository;
    private final String remote;
    private final List<String> guarded;

    private Push(Repository repository, String remote) {
        this.repository = repository;
        this.remote = remote;
        guarded = repository.protectedBranches(remote);
    }

    /**
     * What each ref brings that is pushed.
     *
     * @param remote its name or address
     */
    public static List<Range> ranges(Repository repository, String remote, String lines) {
        Push push = new Push(repository, remote);
        List<Range> ranges = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            if (line.isBlank()) {
                continue;
            }
            String[] words = line.split(" ");
            if (words.length != 4) {
                throw new GitFailure("not a line that git passes to a pre-push hook: '" + line + "'");
            }
            if (!isZero(words[1])) {
                ranges.add(push.range(words[0], words[1], words[2], words[3]));
            }
        }
        return ranges;
    }

    private Range range(String ref, String local, String target, String there) {
        if (!repository.hasCommit(local)) {
            throw new GitFailure(
                    ref + " is not a commit, so there is nothing to compare it with; the gate cannot check it."
                            + " git push --no-verify pushes it anyway.");
        }
        if (!isZero(there) && !repository.hasObject(there)) {
            throw new GitFailure(remote + " has something at " + target + " that is not in this clone (" + there
                    + "), so the gate cannot tell what " + ref + " adds to it. Fetch it first: git fetch " + remote
                    + " "
                    + target);
        }
        List<String> inOrder = new ArrayList<>(guarded.stream()
                .filter(branch -> !branch.equals(tracking(target)))
                .toList());
        if (repository.hasCommit(there)) {
            inOrder.add(there);
        }
        String name = "the push of " + ref;
        if (inOrder.isEmpty() && isZero(there)) {
            refuseUnlessUnknown(target);
            name += " to " + remote + ", which has nothing to compare it with";
        }
        return repository.range(
                name,
                repository.commit(local),
                inOrder.stream().map("^"::concat).toList());
    }

    private void refuseUnlessUnknown(String target) {
        if (guarded.isEmpty() && repository.hasBranchesOf(remote)) {
            throw new GitFailure(target + " is new, and this clone does not know which branch of " + remote
                    + " to compare it with. Set its default branch: git remote set-head "
                    + remote + " --auto; or name a branch that takes only approved changes: git config "
                    + Repository.PROTECTED + " " + remote + "/main");
        }
    }

    /** Where what a branch of the remote had when it was last seen is kept; null: it is no branch. */
    private @Nullable String tracking(String target) {
        return target.startsWith(BRANCH)
                ? Repository.TRACKING + remote + "/" + target.substring(BRANCH.length())
                : null;
    }

    private static boolean isZero(String id) {
        return id.chars().allMatch(digit -> digit == '0');
    }
}
