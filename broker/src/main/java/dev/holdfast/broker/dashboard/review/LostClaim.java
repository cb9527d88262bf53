package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.record.AuditEvent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a visitor who held the review that the claim is lost, and who ended it.
 *
 * @param why to be read after "You lost your claim:"
 */
public record LostClaim(String why, When at) {
    /**
     * Null: the visitor did not hold it, or things have moved on since.
     *
     * @param events oldest first
     */
    static @Nullable LostClaim of(String person, List<AuditEvent> events, Instant now) {
        LostClaim lost = null;
        for (AuditEvent event : events) {
            switch (event.type()) {
                case "review_revised", "review_withdrawn", "review_reclaimed", "review_claimed" ->
                    lost = event.text(AuditEvent.FENCED_OUT).equals(person) && !person.isEmpty()
                            ? new LostClaim(TimelineView.why(event), new When(event.at(), now))
                            : null;
                case "verdict_submitted" -> lost = null;
                default -> {}
            }
        }
        return lost;
    }
}
