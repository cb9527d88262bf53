package dev.holdfast.review.approval;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.AffectedFile;
import dev.holdfast.review.diff.Bases;
import dev.holdfast.review.diff.ContentHash;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.Project;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A content whose approval is asked for.
 *
 * @param project its key
 * @param wherever what it says at whatever place, which is also the revision of before; null when only the revision is known
 * @param diff null likewise
 * @param movedFrom the review that has it at another place, as whoever asks has found; null: none
 * @param digits so many of a version's id tell it from all others, as far as whoever asks knows
 */
public record Asked(
        String project,
        String revision,
        @Nullable String wherever,
        @Nullable Diff diff,
        @Nullable String movedFrom,
        int digits) {
    static Asked of(@Nullable String project, Diff diff, @Nullable String movedFrom, int digits) {
        return new Asked(
                Project.key(project),
                ContentHash.of(diff).value(),
                ContentHash.wherever(diff).value(),
                diff,
                movedFrom,
                digits);
    }

    static Asked of(@Nullable String project, String revision) {
        if (!Content.isRevision(revision)) {
            throw new RefusedException(
                    RefusalCode.INVALID,
                    "revision must be r2: (r1: for older ones, t1: for a text) and 64 hexadecimal digits, as"
                            + " create_review returns it");
        }
        return new Asked(Project.key(project), revision, null, null, null, Bases.DIGITS);
    }

    /** Whether an approved content that says the same is this very one. */
    boolean isCoveredBy(ApprovalTable.Approval approval) {
        return isSame(approval.revision(), approval.bases())
                || (approval.reviewId().equals(movedFrom) && mayHaveMovedFrom(approval.bases()));
    }

    /**
     * Whether a stored content is this one: the same place, or stored before revisions knew one.
     *
     * @param bases JSON of {@link Bases}; null: it knows none
     */
    boolean isSame(String stored, @Nullable String bases) {
        return stored.equals(wherever) || (stored.equals(revision) && isWhere(bases));
    }

    /** A revision has only the beginnings of the versions' ids; whoever can find two files of one beginning must not win. */
    private boolean isWhere(@Nullable String bases) {
        return diff == null || bases == null || read(bases).isWhereAsked(Bases.of(diff), digits);
    }

    boolean mayHaveMovedFrom(@Nullable String bases) {
        return diff != null && bases != null && read(bases).mayMoveTo(Bases.of(diff));
    }

    static Bases read(String bases) {
        return JsonMapper.shared().readValue(bases, Bases.class);
    }

    Set<String> paths() {
        return diff == null
                ? Set.of()
                : diff.affectedFiles().stream().map(AffectedFile::path).collect(Collectors.toSet());
    }
}
