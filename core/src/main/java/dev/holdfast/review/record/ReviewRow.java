package dev.holdfast.review.record;

import dev.holdfast.claim.LockedClaim;
import org.jspecify.annotations.Nullable;

/** One row of {@code reviews}: read while its resource row is locked, changed, and written back. */
public final class ReviewRow {
    public final String id;
    public final String agentType;

    @Nullable
    public String project;

    @Nullable
    public String category;

    public Priority priority;
    public String intent;
    public ReviewStatus stored;
    public int round;
    public String revision;
    public int revisionNumber;

    @Nullable
    public String reservedFor;

    @Nullable
    public Long unservedGeneration;

    public boolean skipDiffValidation;

    @Nullable
    public String verdictReason;

    @Nullable
    public String verdictBy;

    public String lastCall;

    private ReviewStatus writtenStatus;
    private int writtenRound;
    private int writtenNumber;

    ReviewRow(
            String id,
            String agentType,
            Priority priority,
            String intent,
            ReviewStatus stored,
            int round,
            int revisionNumber,
            String revision,
            String lastCall) {
        this.id = id;
        this.agentType = agentType;
        this.priority = priority;
        this.intent = intent;
        this.stored = stored;
        this.revision = revision;
        this.lastCall = lastCall;
        this.round = round;
        this.revisionNumber = revisionNumber;
        writtenStatus = stored;
        writtenRound = round;
        writtenNumber = revisionNumber;
    }

    /** Whether its content is not the one in the table: a round, or an accepted counter-patch, is new. */
    boolean hasNewContent() {
        return round != writtenRound || revisionNumber != writtenNumber;
    }

    boolean hasNewStatus() {
        return stored != writtenStatus;
    }

    /** The table has it as it is now. */
    void written() {
        writtenStatus = stored;
        writtenRound = round;
        writtenNumber = revisionNumber;
    }

    /** A pending review that somebody holds is claimed. */
    ReviewStatus status(LockedClaim claimState) {
        return stored == ReviewStatus.PENDING && claimState.claim() != null ? ReviewStatus.CLAIMED : stored;
    }
}
