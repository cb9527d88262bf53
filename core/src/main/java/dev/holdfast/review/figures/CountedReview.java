package dev.holdfast.review.figures;

/**
 * A review as counted so far.
 *
 * @param project the project's key
 * @param since when it entered this status
 * @param judged a reviewer has given a verdict
 * @param approved it was approved at some time
 */
record CountedReview(
        String id,
        String project,
        String category,
        String status,
        long since,
        long createdAt,
        boolean judged,
        boolean approved) {
    CountedReview in(String next, long at) {
        return new CountedReview(id, project, category, next, at, createdAt, judged, approved);
    }

    CountedReview of(String other) {
        return new CountedReview(id, other, category, status, since, createdAt, judged, approved);
    }

    CountedReview afterVerdict(boolean approving) {
        return new CountedReview(id, project, category, status, since, createdAt, true, approved || approving);
    }
}
