package dev.holdfast.broker.verb.reviews;

import dev.holdfast.review.approval.Approvals.Decision.NotApproved;
import dev.holdfast.review.diff.PositionDifference;
import dev.holdfast.review.record.Review;
import org.jspecify.annotations.Nullable;

/** Says why a change is not approved, and what to do. */
final class MissingApproval {
    private static final int LONGEST_REASON = 200;

    private MissingApproval() {}

    static String message(NotApproved not) {
        Review review = not.review();
        String named = review == null ? "" : "review " + review.id();
        String project = review == null || review.project() == null ? "no project" : "project " + review.project();
        return switch (not.why()) {
            case PENDING ->
                "This content is up for review in " + named + standing(review)
                        + ". Wait for its verdict: get_review_status with wait: true.";
            case CHANGES_REQUESTED ->
                named + " asks for changes to this content" + said(review)
                        + " Change it, and submit it with create_review and this review_id.";
            case VOIDED ->
                "This content was approved in " + named
                        + ", which has since been withdrawn: the approval is void. Propose it again with create_review.";
            case REVISED ->
                named + " had this content but has moved on to a newer version. Use that one, or propose this"
                        + " one with create_review.";
            case ENDED -> named + " had this content and ended without approving it. Propose it with create_review.";
            case OTHER_PLACE ->
                named + " (" + statusOf(review) + ") has the same change" + places(not.elsewhere())
                        + ". Nothing shows that this is the same place. Propose it for this place with"
                        + " create_review.";
            case OTHER_PROJECT ->
                "This content is approved by " + named + " of " + project
                        + ", not of this one. Ask for that project, or propose it for this one with create_review.";
            case OTHER_CONTENT ->
                "This content was not reviewed; the closest is " + named + " (" + statusOf(review)
                        + "), with different content in the same files: something has changed since. Propose it with"
                        + " create_review.";
            case NEVER_REVIEWED -> "This content was never reviewed. Propose it with create_review.";
        };
    }

    private static String places(@Nullable PositionDifference elsewhere) {
        if (elsewhere == null) {
            return " to other lines";
        }
        String path = elsewhere.path();
        String at = elsewhere.lines() == 0 ? " to " : " to " + lines(elsewhere.reviewed(), elsewhere.lines()) + " of ";
        return switch (elsewhere.difference()) {
            case LINES -> at + path + "; here it is " + lines(elsewhere.asked(), elsewhere.lines());
            case HEADING -> at + path + ", under a different heading than git prints after @@";
            case MODE -> at + path + " as another kind of file (see the mode in the index line)";
            case UNKNOWN_VERSION -> at + path + ", in a diff without the index line that identifies the version";
            case VERSION -> at + "another version of " + path;
        };
    }

    private static String lines(int first, int count) {
        return count < 2 ? "line " + first : "lines " + first + "-" + (first + count - 1);
    }

    private static String standing(@Nullable Review review) {
        if (review == null || review.claimedBy() == null) {
            return "";
        }
        return ", with " + review.claimedBy();
    }

    /** The end of a sentence: what the reviewer wrote, of a long text only the beginning. */
    private static String said(@Nullable Review review) {
        String reason = review == null ? null : review.verdictReason();
        if (reason == null || reason.isBlank()) {
            return ".";
        }
        String text = reason.strip();
        if (text.length() <= LONGEST_REASON) {
            return ": " + text + (text.matches("(?s).*[.!?…]") ? "" : ".");
        }
        int blank = text.lastIndexOf(' ', LONGEST_REASON);
        return ": " + text.substring(0, blank < 0 ? LONGEST_REASON : blank).stripTrailing() + "…";
    }

    private static String statusOf(@Nullable Review review) {
        return review == null ? "" : review.status().toString();
    }
}
