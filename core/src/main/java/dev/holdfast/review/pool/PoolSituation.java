package dev.holdfast.review.pool;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with the pool, read in one transaction.
 *
 * @param pending what waits for a reviewer, by project or by folder
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
     * @param folder where its files are; then it is what waits for all projects there, of which this one has waited
     *     longest. Null: it is what waits for this project
     */
    public record Pending(
            String key, @Nullable String project, @Nullable String folder, long count, Instant oldestSince) {}

    /** The same, with what waits for these projects, by key, and no others. */
    public PoolSituation only(Set<String> keys) {
        return with(pending.stream().filter(one -> keys.contains(one.key())).toList());
    }

    private PoolSituation with(List<Pending> others) {
        return new PoolSituation(now, others, reviewers, spawnsInADay, reviewsInAnHour, lastSpawn, crashes);
    }

    /**
     * The same, with what waits counted by folder instead of by project.
     *
     * @param folders where the files of projects are, by key; what is not in it is left out
     */
    public PoolSituation byFolder(Map<String, String> folders) {
        Map<String, Pending> byFolder = new LinkedHashMap<>();
        pending.stream()
                .filter(one -> folders.containsKey(one.key()))
                .sorted(Comparator.comparing(Pending::oldestSince))
                .map(one ->
                        new Pending(one.key(), one.project(), folders.get(one.key()), one.count(), one.oldestSince()))
                .forEach(one -> byFolder.merge(
                        String.valueOf(one.folder()),
                        one,
                        (first, later) -> new Pending(
                                first.key(),
                                first.project(),
                                first.folder(),
                                first.count() + later.count(),
                                first.oldestSince())));
        return with(List.copyOf(byFolder.values()));
    }

    /**
     * @param claims how many reviews it holds
     * @param lost a claim of its was taken back because it ran out, or was held for too long
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
