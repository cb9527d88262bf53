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

    ReviewRow(
            String id,
            String agentType,
            Priority priority,
            String intent,
            ReviewStatus stored,
            String revision,
            String lastCall) {
        this.id = id;
        this.agentType = agentType;
        this.priority = priority;
        this.intent = intent;
        this.stored = stored;
        this.revision = revision;
        this.lastCall = lastCall;
        round = 1;
        revisionNumber = 1;
    }

    /** A pending review that somebody holds is claimed. */
    ReviewStatus status(LockedClaim standing) {
        return stored == ReviewStatus.PENDING && standing.claim() != null ? ReviewStatus.CLAIMED : stored;
    }
}
