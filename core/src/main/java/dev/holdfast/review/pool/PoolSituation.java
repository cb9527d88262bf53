package dev.holdfast.review.pool;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the pool, read in one transaction.
 *
 * @param pending reviews waiting for a reviewer, by project or by folder
 * @param reviewers those that have not ended, of all brokers
 * @param spawnsInADay how many reviewers were started in the last 24 hours
 * @param reviewsInAnHour how many reviews they claimed in the last hour
 */
public record PoolSituation(
        Instant now,
        List<Pending> pending,
        List<Live> reviewers,
        long spawnsInADay,
        long reviewsInAnHour,
        @Nullable Instant lastSpawn,
        Crashes crashes) {
    /** How many reviews this reviewer holds; 0 if it has ended. */
    public long holding(String reviewer) {
        return reviewers.stream()
                .filter(live -> live.reviewer().id().equals(reviewer))
                .mapToLong(Live::claims)
                .sum();
    }

    /**
     * @param key the project's key; empty: no project
     * @param project the name as a proposer wrote it
     * @param folder where its files are; the entry then covers all projects in the folder, and this is the one that has
     *     waited longest. Null: the entry covers only this project
     */
    public record Pending(
            String key, @Nullable String project, @Nullable String folder, long count, Instant oldestSince) {}

    /** A copy with only what waits for the projects with these keys. */
    public PoolSituation only(Set<String> keys) {
        return with(pending.stream().filter(one -> keys.contains(one.key())).toList());
    }

    private PoolSituation with(List<Pending> others) {
        return new PoolSituation(now, others, reviewers, spawnsInADay, reviewsInAnHour, lastSpawn, crashes);
    }

    /**
     * A copy with what waits grouped by folder instead of by project.
     *
     * @param folders the folders of projects, by key; projects that are not in it are left out
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
     * @param lost one of its claims was reclaimed because it expired, or was held too long
     */
    public record Live(PoolReviewer reviewer, long claims, boolean lost) {}

    /**
     * Consecutive reviewers that ended, or had to be ended, without completing a single review.
     *
     * @param lastOutput the last one's output
     */
    public record Crashes(
            int inARow, @Nullable Instant last, @Nullable String lastOutput) {
        public static final Crashes NONE = new Crashes(0, null, null);
    }
}
