package dev.holdfast.broker.git;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.record.DiffCheck;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks a review's diffs against the repository of its project. Where that is not known, every diff will do. */
public final class ProjectFiles implements DiffCheck {
    private final Repositories repositories;
    private final GitApply git;

    public ProjectFiles(Repositories repositories, GitApply git) {
        this.repositories = repositories;
        this.git = git;
    }

    @Override
    public Finding check(@Nullable String project, String diff) {
        return switch (Diff.parse(diff)) {
            case DiffProblem unreadable -> new Conflicts(unreadable.toString());
            case Diff read -> {
                Path folder = repositories.folder(project);
                yield folder == null ? new Fits() : check(folder, read);
            }
        };
    }

    private Finding check(Path folder, Diff diff) {
        return switch (git.check(folder, diff, null)) {
            case ApplyCheck.Applies _, ApplyCheck.AlreadyApplied _ -> new Fits();
            case ApplyCheck.Conflicts(String message) -> new Conflicts(message);
            case ApplyCheck.Unavailable(String reason) -> new Unknown(reason);
        };
    }
}
