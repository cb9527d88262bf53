package dev.holdfast.review;

import dev.holdfast.claim.Standing;
import org.jspecify.annotations.Nullable;

/** One row of {@code reviews}, read while its resource row is locked, changed and written back. */
final class ReviewRow {
    final String id;
    final String agentType;
    final Priority priority;

    @Nullable
    String project;

    @Nullable
    String category;

    String intent;
    Status stored;
    int round;
    String revision;
    int revisionNumber;

    @Nullable
    String reservedFor;

    @Nullable
    Long unservedGeneration;

    boolean skipDiffValidation;

    @Nullable
    String verdictReason;

    @Nullable
    String verdictBy;

    String lastCall;

    ReviewRow(
            String id,
            String agentType,
            Priority priority,
            String intent,
            Status stored,
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

    /** Pending and held by somebody is claimed. */
    Status status(Standing standing) {
        return stored == Status.PENDING && standing.claim() != null ? Status.CLAIMED : stored;
    }
}
