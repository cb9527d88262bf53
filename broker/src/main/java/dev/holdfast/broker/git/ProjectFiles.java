package dev.holdfast.broker.git;

import dev.holdfast.review.DiffCheck;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import org.jspecify.annotations.Nullable;

/** Checks a review's diffs against the repository of its project. */
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
            case Diff read ->
                switch (git.check(repositories.folder(project), read, null)) {
                    case ApplyCheck.Applies _, ApplyCheck.AlreadyApplied _ -> new Fits();
                    case ApplyCheck.Conflicts(String message) -> new Conflicts(message);
                    case ApplyCheck.Unavailable(String reason) -> new Unknown(reason);
                };
        };
    }
}
