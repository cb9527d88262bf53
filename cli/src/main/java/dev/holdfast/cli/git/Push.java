package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What git passes to its pre-push hook: lines of local ref, local id, remote ref, remote id. For each pushed ref, what
 * counts is what that same ref has on the remote. That another branch on the remote has a commit proves nothing, as
 * anybody may have pushed it there unreviewed.
 *
 * <ol>
 *   <li>What the remote has at the pushed ref, by the id that git passes, is approved already. That commit must be
 *       known here, otherwise there is nothing to compare with.
 *   <li>So is what {@linkplain Repository#protectedBranches protected branches} have as last seen here, because only
 *       approved content gets into them. An exception is a push to one of those: then only the id that git passes
 *       counts, because what was last seen may have been removed since.
 *   <li>A new ref is refused if no protected branch is known, unless nothing at all is known about the remote: then
 *       everything is new.
 *   <li>Deleting a ref or setting it back adds nothing.
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
     * What each pushed ref adds.
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

    /** The remote-tracking ref of a branch; null: it is not a branch. */
    private @Nullable String tracking(String target) {
        return target.startsWith(BRANCH)
                ? Repository.TRACKING + remote + "/" + target.substring(BRANCH.length())
                : null;
    }

    private static boolean isZero(String id) {
        return id.chars().allMatch(digit -> digit == '0');
    }
}
