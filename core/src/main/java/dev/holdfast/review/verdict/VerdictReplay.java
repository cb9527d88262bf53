package dev.holdfast.review.verdict;

import dev.holdfast.claim.Fence;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.review.finding.Findings;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.review.verdict.Verdicts.Submission;
import dev.holdfast.review.verdict.Verdicts.Submitted;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replays of a verdict: repeating the verdict that ended the last grant returns the first answer, and changes nothing.
 */
final class VerdictReplay {
    private VerdictReplay() {}

    static Optional<Submitted> of(ReviewChanges.Locked locked, Submission given, @Nullable Content counterPatch)
            throws SQLException {
        LockedClaim claimState = locked.claimState();
        Long ended = claimState.endedGeneration();
        if (ended == null || !shows(given.fence(), claimState, ended)) {
            return Optional.empty();
        }
        String patch = counterPatch == null ? null : counterPatch.diff();
        Optional<Verdict> same = VerdictTable.ofGrant(locked.transaction(), locked.review().id, ended)
                .filter(first -> first.verdict().equals(given.verdict())
                        && Objects.equals(first.reason(), given.reason())
                        && Objects.equals(first.counterPatch(), patch)
                        && (given.revision() == null || given.revision().equals(first.revision())));
        if (same.isEmpty()) {
            return Optional.empty();
        }
        Verdict first = same.get();
        return Findings.saidBefore(locked, given.remarks(), first)
                .map(raised -> new Submitted(
                        locked.review().id,
                        ReviewStatus.of(first.verdict()),
                        first.verdict(),
                        first.reason(),
                        first.counterPatchStatus() != null,
                        first.revision(),
                        raised,
                        true));
    }

    private static boolean shows(Fence fence, LockedClaim claimState, long ended) {
        String reviewer = fence.holder();
        Long generation = fence.generation();
        if (generation == null) {
            return reviewer != null && reviewer.equals(claimState.endedBy()) && !reviewer.equals(claimState.holder());
        }
        return generation == ended && (reviewer == null || reviewer.equals(claimState.endedBy()));
    }
}
