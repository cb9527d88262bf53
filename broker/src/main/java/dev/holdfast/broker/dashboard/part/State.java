package dev.holdfast.broker.dashboard.part;

import dev.holdfast.review.record.ReviewStatus;

/** The state of something: an icon, a colour and a word. */
public record State(String icon, String look, String word) {
    public static State of(ReviewStatus status) {
        return switch (status) {
            case PENDING -> new State("s-pending", "dim", "pending");
            case CLAIMED, IN_REVIEW -> new State("s-claimed", "sea", "in review");
            case CHANGES_REQUESTED -> new State("s-changes", "port", "changes requested");
            case APPROVED -> new State("s-approved", "ok", "approved");
            case CLOSED -> new State("s-closed", "ok", "closed");
            case WITHDRAWN -> new State("s-withdrawn", "dim", "withdrawn");
        };
    }

    /** The state to show for a verdict. */
    public static State ofVerdict(String verdict) {
        return switch (verdict) {
            case "approved" -> of(ReviewStatus.APPROVED);
            case "changes_requested" -> of(ReviewStatus.CHANGES_REQUESTED);
            default -> new State("msg", "dim", "commented");
        };
    }
}
