package dev.holdfast.review;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with the pool, read in one transaction.
 *
 * @param pending what waits for a reviewer, by project
 * @param reviewers those that have not ended, of all brokers
 * @param spawnsInADay how many were started in the last 24 hours
 * @param reviewsInAnHour how many reviews they took in the last hour
 */
public record PoolSituation(
        Instant now,
        List<Pending> pending,
        List<Live> reviewers,
        long spawnsInADay,
        long reviewsInAnHour,
        @Nullable Instant lastSpawn,
        Crashes crashes) {
    /** How many reviews this one holds; none if it has ended. */
    public long holding(String reviewer) {
        return reviewers.stream()
                .filter(live -> live.reviewer().id().equals(reviewer))
                .mapToLong(Live::claims)
                .sum();
    }

    /**
     * @param key of the project; empty: none
     * @param project as a proposer wrote it
     */
    public record Pending(String key, @Nullable String project, long count, Instant oldestSince) {}

    /**
     * @param claims how many reviews it holds
     * @param lost a claim of its was taken back because it ran out
     */
    public record Live(PoolReviewer reviewer, long claims, boolean lost) {}

    /**
     * Reviewers that ended by themselves, or had to be ended, without a single review, one after another.
     *
     * @param lastOutput what the last of them said
     */
    public record Crashes(
            int inARow, @Nullable Instant last, @Nullable String lastOutput) {
        public static final Crashes NONE = new Crashes(0, null, null);
    }
}
