package dev.holdfast.cli.git;

import java.util.ArrayList;
import java.util.List;

/** What git tells its pre-push hook: lines of local ref, local id, remote ref, remote id. */
public final class Push {
    private Push() {}

    /**
     * What the remote does not have yet, for each ref that is pushed; refs that are deleted bring nothing.
     *
     * @param remote its name or address
     */
    public static List<Range> ranges(Repository repository, String remote, String lines) {
        List<Range> ranges = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            if (line.isBlank()) {
                continue;
            }
            String[] words = line.split(" ");
            if (words.length != 4) {
                throw new GitFailure("this is no line of a pre-push hook: '" + line + "'");
            }
            String local = words[1];
            String there = words[3];
            if (!isZero(local)) {
                ranges.add(range(repository, remote, words[0], local, there));
            }
        }
        return ranges;
    }

    private static Range range(Repository repository, String remote, String ref, String local, String there) {
        if (!repository.hasCommit(local)) {
            throw new GitFailure(
                    ref + " is no commit, so there is nothing to compare it with; the gate cannot check it."
                            + " git push --no-verify pushes it all the same.");
        }
        List<String> without = new ArrayList<>(List.of("--not", "--remotes=" + remote));
        if (!isZero(there) && repository.hasCommit(there)) {
            without.add(there);
        }
        return repository.range("what " + ref + " brings", repository.commit(local), without);
    }

    private static boolean isZero(String id) {
        return id.chars().allMatch(digit -> digit == '0');
    }
}
