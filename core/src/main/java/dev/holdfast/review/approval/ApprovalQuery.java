package dev.holdfast.review.approval;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.AffectedFile;
import dev.holdfast.review.diff.BaseVersions;
import dev.holdfast.review.diff.ContentHash;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.Project;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Content whose approval is asked for.
 *
 * @param project the project's key
 * @param wherever the hash without positions, which is also the old form of the revision; null if only the revision is
 *     known
 * @param diff null likewise
 * @param movedFrom the review that has it at another position, as the caller has determined; null: none
 * @param digits how many digits identify a file version uniquely, as far as the caller knows
 */
public record ApprovalQuery(
        String project,
        String revision,
        @Nullable String wherever,
        @Nullable Diff diff,
        @Nullable String movedFrom,
        int digits) {
    static ApprovalQuery of(@Nullable String project, Diff diff, @Nullable String movedFrom, int digits) {
        return new ApprovalQuery(
                Project.key(project),
                ContentHash.of(diff).value(),
                ContentHash.wherever(diff).value(),
                diff,
                movedFrom,
                digits);
    }

    static ApprovalQuery of(@Nullable String project, String revision) {
        if (!Content.isRevision(revision)) {
            throw new RefusedException(
                    RefusalCode.INVALID,
                    "revision must be r2: (r1: for older ones, t1: for a text) and 64 hexadecimal digits, as"
                            + " create_review returns it");
        }
        return new ApprovalQuery(Project.key(project), revision, null, null, null, BaseVersions.DIGITS);
    }

    /** Whether approved content with the same change is exactly this one. */
    boolean isCoveredBy(ApprovalTable.Approval approval) {
        return isSame(approval.revision(), approval.bases())
                || (approval.reviewId().equals(movedFrom) && mayHaveMovedFrom(approval.bases()));
    }

    /**
     * Whether stored content is this one: at the same position, or stored before revisions included positions.
     *
     * @param bases JSON of {@link BaseVersions}; null: none recorded
     */
    boolean isSame(String stored, @Nullable String bases) {
        return stored.equals(wherever) || (stored.equals(revision) && isSamePosition(bases));
    }

    /**
     * A revision contains only a prefix of each version's id; somebody who finds two files with the same prefix must
     * not gain anything.
     */
    private boolean isSamePosition(@Nullable String bases) {
        return diff == null || bases == null || read(bases).isAtAskedPosition(BaseVersions.of(diff), digits);
    }

    boolean mayHaveMovedFrom(@Nullable String bases) {
        return diff != null && bases != null && read(bases).mayMoveTo(BaseVersions.of(diff));
    }

    static BaseVersions read(String bases) {
        return JsonMapper.shared().readValue(bases, BaseVersions.class);
    }

    Set<String> paths() {
        return diff == null
                ? Set.of()
                : diff.affectedFiles().stream().map(AffectedFile::path).collect(Collectors.toSet());
    }
}
