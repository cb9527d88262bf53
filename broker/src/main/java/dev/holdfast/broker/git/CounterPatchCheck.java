package dev.holdfast.broker.git;

import dev.holdfast.git.ExactDiff;
import dev.holdfast.git.ObjectStore;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.FileChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks a counter-patch against the content: does it replace the content, or apply on top of it? */
record CounterPatchCheck(ObjectStore objects, Diff content, Diff patch) {
    /** Empty when it applies neither way, or the content itself does not apply. */
    Optional<ApplyCheck> check(String commit) {
        objects.readTree(commit);
        Optional<String> changed = applied(content, false);
        objects.readTree(commit);
        Optional<String> taken = changed.isPresent() ? Optional.empty() : applied(content, true);
        if (changed.isEmpty() && taken.isEmpty()) {
            return Optional.empty();
        }
        String before = taken.orElse(commit); // committed work: the commit already contains the content
        String after = changed.orElse(commit);
        boolean inItsPlace = fits(before);
        if (inItsPlace && sharesFiles()) {
            return Optional.of(new ApplyCheck.Applies());
        }
        objects.readTree(after);
        Optional<String> whole = applied(patch, false).map(tree -> new ExactDiff(objects).between(before, tree));
        return whole.<ApplyCheck>map(ApplyCheck.Applies::new)
                .or(() -> inItsPlace ? Optional.of(new ApplyCheck.Applies()) : Optional.empty());
    }

    private boolean fits(String tree) {
        objects.readTree(tree);
        return objects.run(GitApply.words(patch, false), patch.normalised()).succeeded();
    }

    /** The resulting tree; it does not outlive this check. */
    private Optional<String> applied(Diff diff, boolean reverse) {
        List<String> words = new ArrayList<>(GitApply.words(diff, reverse));
        words.remove("--check");
        return objects.run(words, diff.normalised()).succeeded()
                ? Optional.of(objects.ask(List.of("write-tree")).text())
                : Optional.empty();
    }

    private boolean sharesFiles() {
        return !Collections.disjoint(files(content), files(patch));
    }

    private static Set<String> files(Diff diff) {
        Set<String> files = new HashSet<>();
        for (FileChange file : diff.files()) {
            Optional.ofNullable(file.oldPath()).ifPresent(files::add);
            Optional.ofNullable(file.newPath()).ifPresent(files::add);
        }
        return files;
    }
}
