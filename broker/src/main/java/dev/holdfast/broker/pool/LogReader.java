package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.ReviewerPool.LogPage;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.pool.PoolReviewer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads reviewers' logs: live for reviewers that run here, otherwise whatever is stored here. */
record LogReader(ReviewerLogs logs, RunningReviewers running) {
    /**
     * Returns the records after this one, waiting for new ones if there are none.
     *
     * @throws RefusedException when another broker keeps its log
     */
    LogPage log(PoolReviewer reviewer, long after, int max, Duration patience)
            throws IOException, InterruptedException {
        String id = reviewer.id();
        RunningReviewer one = running.find(id);
        if (one == null && reviewer.ended() == null) {
            return new LogPage(elsewhere(reviewer, after, max, patience), false);
        }
        if (one != null) {
            one.log().await(after, patience);
        }
        List<JsonNode> records = logs.read(id, after, max);
        return new LogPage(records, one == null && records.isEmpty());
    }

    /** The size in bytes of each log stored here, by reviewer. */
    Map<String, Long> sizes() throws IOException {
        return logs.sizes();
    }

    private List<JsonNode> elsewhere(PoolReviewer reviewer, long after, int max, Duration patience)
            throws IOException, InterruptedException {
        if (!logs.has(reviewer.id())) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "The log of " + reviewer.id() + " is kept by its own broker, " + reviewer.broker()
                            + "; ask that one");
        }
        return logs.await(reviewer.id(), after, max, patience);
    }
}
