package dev.holdfast.review;

/**
 * A review as far as it has been counted.
 *
 * @param project its key
 * @param since when it came into this status
 * @param judged a reviewer has given a verdict
 * @param approved it has been approved at some time
 */
record Tallied(
        String id,
        String project,
        String category,
        String status,
        long since,
        long createdAt,
        boolean judged,
        boolean approved) {
    Tallied in(String next, long at) {
        return new Tallied(id, project, category, next, at, createdAt, judged, approved);
    }

    Tallied of(String other) {
        return new Tallied(id, other, category, status, since, createdAt, judged, approved);
    }

    Tallied afterVerdict(boolean approving) {
        return new Tallied(id, project, category, status, since, createdAt, true, approved || approving);
    }
}
