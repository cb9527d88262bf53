package dev.holdfast.review.imports;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.record.Changes;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A review as it stood with another broker, with all that is known of its past.
 *
 * @param priority critical, normal or low
 * @param claimedBy who held it, or gave the last verdict
 * @param claimedAt when its holder was last known to be at it
 * @param generation the highest that was given there
 * @param verdicts the oldest first
 * @param messages the oldest first
 * @param events the oldest first
 */
public record Imported(
        String id,
        ReviewStatus status,
        Proposal proposal,
        String priority,
        int round,
        @Nullable String claimedBy,
        Instant claimedAt,
        long generation,
        @Nullable String verdictReason,
        Instant createdAt,
        Instant updatedAt,
        List<Judged> verdicts,
        List<Said> messages,
        List<Happened> events) {
    /**
     * A verdict or comment.
     *
     * @param onCurrent it was given on the content that the review has now; false: on one that is not known any more
     * @param assumed known only from the review's status
     * @param counterPatch its text, where that is still known
     * @param counterPatchStatus null: there was none
     */
    public record Judged(
            String verdict,
            int round,
            boolean onCurrent,
            boolean assumed,
            @Nullable String reason,
            @Nullable String reviewer,
            @Nullable Long generation,
            @Nullable String counterPatch,
            @Nullable String counterPatchStatus,
            Instant at) {}

    public record Said(
            String id,
            String senderRole,
            int round,
            String body,
            @Nullable String metadata,
            Instant at) {}

    /**
     * @param number grows with every event of the other broker
     * @param metadata a JSON object; null: there is none
     */
    public record Happened(
            long number,
            String type,
            @Nullable String actor,
            @Nullable String oldStatus,
            @Nullable String newStatus,
            @Nullable Long generation,
            @Nullable String metadata,
            Instant at) {
        private void checkMetadata() {
            try {
                if (metadata == null || JsonMapper.shared().readTree(metadata).isObject()) {
                    return;
                }
            } catch (JacksonException _) {
                // as wrong as any other text
            }
            throw new InvalidException("metadata of event " + number + " must be a JSON object as text");
        }
    }

    /** When the content that it has now was handed in. */
    Instant contentAt() {
        return events.stream()
                .filter(event ->
                        event.type().equals("review_revised") || event.type().equals("counter_patch_accepted"))
                .map(Happened::at)
                .reduce((_, later) -> later)
                .orElse(round == 1 ? createdAt : updatedAt);
    }

    /** Who holds it; null when nobody does, or nobody who could hold anything here. */
    @Nullable
    String holder() {
        if (!status.underReview() || claimedBy == null) {
            return null;
        }
        try {
            return Text.holder(claimedBy);
        } catch (InvalidException _) {
            return null;
        }
    }

    /** Claimed and held by nobody: it went back to be reviewed. */
    boolean abandoned() {
        return status == ReviewStatus.CLAIMED && holder() == null;
    }

    /** What it becomes here. Who holds it makes it claimed, whatever it was called there. */
    ReviewStatus stored() {
        return status == ReviewStatus.CLAIMED || holder() != null ? ReviewStatus.PENDING : status;
    }

    /** @throws RuntimeException saying what of it cannot be kept here */
    void check(ReviewLimits limits) {
        if (!Changes.couldBe(id)) {
            throw new InvalidException("its id is blank, too long or not text");
        }
        proposal.checked(limits);
        limits.word("claimed_by", claimedBy);
        limits.text("verdict_reason", verdictReason);
        for (Judged verdict : verdicts) {
            limits.text("reason of a verdict", verdict.reason());
            limits.word("reviewer of a verdict", verdict.reviewer());
            limits.diff("counter_patch", verdict.counterPatch());
        }
        for (Said message : messages) {
            if (!Changes.couldBe(message.id())) {
                throw new InvalidException("the id of a message is blank, too long or not text");
            }
            limits.text("body of a message", message.body());
            limits.text("metadata of a message", message.metadata());
        }
        for (Happened event : events) {
            limits.word("type of an event", event.type());
            limits.word("actor of an event", event.actor());
            limits.text("metadata of an event", event.metadata());
            event.checkMetadata();
        }
    }
}
