package dev.holdfast.broker.git;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.record.DiffCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks a review's diffs against the commits of its project's repository. If the repository is unknown or the check is
 * not possible, any readable diff is accepted, unless a check is required.
 *
 * @param required whether to reject diffs that could not be checked
 */
public record ProjectFiles(ProjectRepositories repositories, GitApply git, boolean required) implements DiffCheck {
    @Override
    public Finding check(Request asked) {
        return switch (Diff.parse(asked.diff())) {
            case DiffProblem unreadable -> new Conflicts(unreadable.toString());
            case Diff read -> at(asked, folder -> git.check(folder, read, asked.base()));
        };
    }

    @Override
    public Finding onTop(Request patch, @Nullable String content) {
        return content != null
                        && Diff.parse(content) instanceof Diff under
                        && Diff.parse(patch.diff()) instanceof Diff read
                ? at(patch, folder -> git.onTop(folder, read, under, patch.base()))
                : check(patch);
    }

    private Finding at(Request asked, Function<Path, ApplyCheck> check) {
        List<Path> folders = repositories.folders(asked.project());
        if (folders.isEmpty()) {
            return new Unknown(
                    asked.project() == null
                            ? "it names no project"
                            : "no folder of the project " + asked.project() + " is known on this machine",
                    required);
        }
        return switch (check.apply(withBase(folders, asked.base()))) {
            case ApplyCheck.Applies(String whole) -> new Fits(whole);
            case ApplyCheck.AlreadyApplied _ -> new Fits();
            case ApplyCheck.Conflicts(String message) -> new Conflicts(message);
            case ApplyCheck.Unavailable(String reason) -> new Unknown(reason, required);
        };
    }

    /** Of several clones, one that has the commit. */
    private Path withBase(List<Path> folders, @Nullable String base) {
        Optional<Path> having = folders.size() == 1 || base == null
                ? Optional.empty()
                : folders.stream().filter(folder -> git.has(folder, base)).findFirst();
        return having.orElse(folders.getFirst());
    }
}
