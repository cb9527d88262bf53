package dev.holdfast.review.pool;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer that a broker runs, or ran.
 *
 * @param session of the run of the broker that started it
 * @param broker under which its broker holds its own identity
 * @param project the only project it reviews; null: any
 * @param folder it reviews only the projects whose files are there; null: wherever they are
 * @param process null until it has been started
 * @param contactAt when it was first heard of; null: never
 * @param lastActiveAt when it last did something; waiting for work is nothing
 * @param claims how many reviews it has taken
 */
public record PoolReviewer(
        String id,
        String displayName,
        String session,
        String broker,
        Host host,
        @Nullable String project,
        @Nullable String folder,
        String workspace,
        State state,
        @Nullable Started process,
        Instant spawnedAt,
        @Nullable Instant contactAt,
        Instant lastActiveAt,
        @Nullable Draining draining,
        @Nullable Ended ended,
        long claims,
        Work work) {
    public enum State {
        ACTIVE,
        /** It gets nothing new, and ends with its last claim. */
        DRAINING,
        TERMINATED;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * Where it runs.
     *
     * @param machine pids count only there
     */
    public record Host(String machine, Started broker) {}

    /**
     * A process, distinguished from others that had the same id.
     *
     * @param startedAt in milliseconds, since whenever the machine counts from
     */
    public record Started(long pid, long startedAt) {}

    public record Draining(Instant since, String reason) {}

    /** @param exitCode null: not known */
    public record Ended(
            Instant at,
            String reason,
            @Nullable Integer exitCode,
            @Nullable String lastOutput) {}

    /** What it has done. */
    public record Work(long completed, Duration time, long approvals, long rejections) {}

    /** What is known of one that is about to be started; only the hash of its token is kept. */
    public record New(
            String id,
            String displayName,
            String session,
            String broker,
            Host host,
            @Nullable String project,
            @Nullable String folder,
            String workspace,
            String tokenHash) {}

    /** What a reviewer runs, by its id: {@code <engine>-r<n>-<session>}. */
    public static String engine(String id) {
        int end = id.indexOf("-r");
        return end < 0 ? id : id.substring(0, end);
    }
}
