package dev.holdfast.review.imports;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A review as another broker had it, with everything known about its history.
 *
 * @param priority critical, normal or low
 * @param claimedBy who held it, or gave the last verdict
 * @param claimedAt when its holder was last known to work on it
 * @param generation the highest generation granted there
 * @param verdicts oldest first
 * @param messages oldest first
 * @param events oldest first
 */
public record ImportedReview(
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
        List<VerdictEntry> verdicts,
        List<MessageEntry> messages,
        List<EventEntry> events) {
    /**
     * A verdict or comment.
     *
     * @param onCurrent it was given on the review's current content; false: on content that is no longer known
     * @param assumed inferred from the review's status
     * @param counterPatch its text, if still known
     * @param counterPatchStatus null: there was no counter-patch
     */
    public record VerdictEntry(
            String verdict,
            int round,
            boolean onCurrent,
            boolean assumed,
            @Nullable String reason,
            @Nullable String reviewer,
            @Nullable Long generation,
            @Nullable String counterPatch,
            @Nullable CounterPatchStatus counterPatchStatus,
            Instant at) {}

    public record MessageEntry(
            String id,
            String senderRole,
            int round,
            String body,
            @Nullable String metadata,
            Instant at) {}

    /**
     * @param number increases with every event of the other broker
     * @param metadata a JSON object; null: none
     */
    public record EventEntry(
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
                // not valid JSON: the same error
            }
            throw new InvalidException("metadata of event " + number + " must be a JSON object as text");
        }
    }

    /** When the current content was submitted. */
    Instant contentAt() {
        return events.stream()
                .filter(event ->
                        event.type().equals("review_revised") || event.type().equals("counter_patch_accepted"))
                .map(EventEntry::at)
                .reduce((_, later) -> later)
                .orElse(round == 1 ? createdAt : updatedAt);
    }

    /** Who holds it; null if nobody does, or if the name is not valid as a holder here. */
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

    /** Claimed, but held by nobody: it went back to pending. */
    boolean abandoned() {
        return status == ReviewStatus.CLAIMED && holder() == null;
    }

    /** Its status here. If somebody holds it, the claim makes it claimed, so it is stored as pending. */
    ReviewStatus stored() {
        return status == ReviewStatus.CLAIMED || holder() != null ? ReviewStatus.PENDING : status;
    }

    /** @throws RuntimeException saying what cannot be stored here */
    void check(ReviewLimits limits) {
        if (!ReviewChanges.couldBe(id)) {
            throw new InvalidException("its id is blank, too long or not text");
        }
        proposal.checked(limits);
        limits.word("claimed_by", claimedBy);
        limits.text("verdict_reason", verdictReason);
        for (VerdictEntry verdict : verdicts) {
            limits.text("reason of a verdict", verdict.reason());
            limits.word("reviewer of a verdict", verdict.reviewer());
            limits.diff("counter_patch", verdict.counterPatch());
            if (verdict.counterPatch() == null && verdict.counterPatchStatus() == CounterPatchStatus.PENDING) {
                throw new InvalidException("a counter-patch of a verdict is pending, but its text is missing");
            }
        }
        for (MessageEntry message : messages) {
            if (!ReviewChanges.couldBe(message.id())) {
                throw new InvalidException("the id of a message is blank, too long or not text");
            }
            limits.text("body of a message", message.body());
            limits.text("metadata of a message", message.metadata());
        }
        for (EventEntry event : events) {
            limits.word("type of an event", event.type());
            limits.word("actor of an event", event.actor());
            limits.text("metadata of an event", event.metadata());
            event.checkMetadata();
        }
    }
}
