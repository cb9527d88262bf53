package dev.holdfast.cli.git;

import dev.holdfast.git.GitFailure;
import dev.holdfast.git.GitResult;
import dev.holdfast.git.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/** Redoes git's own merge of two commits: whatever a merge commit has beyond that was made by hand. */
final class Merge {
    /** Git's defaults, fixed here because other versions may have changed them. */
    private static final List<String> SETTINGS = List.of(
            "-c",
            "merge.conflictStyle=merge",
            "-c",
            "merge.renames=true",
            "-c",
            "merge.directoryRenames=conflict",
            "-c",
            "merge.renameLimit=7000",
            "-c",
            "merge.renormalize=false");

    private Merge() {}

    /** The resulting tree, with git's conflict markers. */
    static String byGit(ObjectStore objects, String ours, String theirs) {
        // built-in merge drivers (union, binary) are chosen by these files; external programs named there are unknown
        // here and are not run
        objects.checkOutAttributes(ours);
        List<String> words = new ArrayList<>(SETTINGS);
        words.addAll(List.of("merge-tree", "--write-tree", ours, theirs));
        GitResult answer = objects.run(words);
        if (answer.exitCode() > 1 || answer.output().length == 0) {
            throw new GitFailure("git cannot redo the merge of " + ours + " and " + theirs
                    + " (this needs git 2.38 or newer): "
                    + answer.errors().strip());
        }
        return answer.lines().getFirst();
    }
}
