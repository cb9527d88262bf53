package dev.holdfast.review.approval;

/**
 * Who may judge, beside that it is never the proposer.
 *
 * @param knownOnly only reviewers that somebody vouches for: by their token, or by the process of their session
 * @param otherMake only models of another make than the proposer's, and people
 */
public record ReviewerRules(boolean knownOnly, boolean otherMake) {
    public static final ReviewerRules DEFAULT = new ReviewerRules(false, false);
}
