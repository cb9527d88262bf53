package dev.holdfast.review.queue;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Reviewers;
import org.jspecify.annotations.Nullable;

/** What a pool reviewer may claim: only while it is active, and only in its project or folder. */
public final class ReviewerScope {
    private ReviewerScope() {}

    static void checkProject(Reviewers.Managed managed, String reviewer, @Nullable String project) {
        String scope = managed.project();
        if (scope != null && !Project.key(scope).equals(Project.key(project))) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "Reviewer " + reviewer + " is scoped to project '" + scope + "' and cannot claim review project '"
                            + (project == null ? "(none)" : project) + "'.");
        }
    }

    /**
     * @param folder the reviewer's folder
     * @param where the folder that has the project's files now
     */
    static void checkFolder(String folder, String reviewer, @Nullable String project, String where) {
        if (!folder.equals(where)) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "Reviewer " + reviewer + " reads folder '" + folder + "' and cannot claim review project '"
                            + (project == null ? "(none)" : project) + "', whose files are elsewhere.");
        }
    }

    public static void checkActive(Reviewers.Managed managed, String reviewer) {
        if (!managed.active()) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "Reviewer " + reviewer + " is " + managed.state() + ", cannot claim new reviews");
        }
    }
}
