package dev.holdfast.review.approval;

/**
 * Who may judge; the proposer never may.
 *
 * @param knownOnly only reviewers whose identity is vouched for, by a token or by the process of their session
 * @param otherMake only people, and models of another make than the proposer's
 */
public record ReviewerRules(boolean knownOnly, boolean otherMake) {
    public static final ReviewerRules DEFAULT = new ReviewerRules(false, false);
}
