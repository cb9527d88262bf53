package dev.holdfast.review.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's verdict or comment on a revision.
 *
 * @param verdict approved, changes_requested or comment
 * @param agent who gave it, whatever name it reviewed under; null: unknown
 * @param knownBy how it was identified: token, session, name or nothing; null if that was not recorded
 * @param engine what it was: claude, codex, person, ...; null: unknown
 * @param counterPatchStatus null: there was no counter-patch
 */
public record Verdict(
        long id,
        int round,
        String revision,
        String verdict,
        @Nullable String reason,
        @Nullable String reviewer,
        @Nullable Long generation,
        @Nullable String counterPatch,
        @Nullable String counterPatchRevision,
        @Nullable String counterPatchAffectedFiles,
        @Nullable CounterPatchStatus counterPatchStatus,
        @Nullable String agent,
        @Nullable String knownBy,
        @Nullable String engine,
        Instant at) {
    public static final String APPROVED = "approved";
    public static final String CHANGES_REQUESTED = "changes_requested";
    public static final String COMMENT = "comment";

    /** The possible verdicts. */
    public static final List<String> WORDS = List.of(APPROVED, CHANGES_REQUESTED, COMMENT);

    /** Whether its counter-patch waits for the proposer's decision. */
    public boolean counterPatchPending() {
        return counterPatchStatus == CounterPatchStatus.PENDING;
    }
}
