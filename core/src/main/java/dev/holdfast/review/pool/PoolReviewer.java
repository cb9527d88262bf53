package dev.holdfast.review.pool;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer that a broker runs, or ran.
 *
 * @param session identifies the run of the broker that started it
 * @param broker the name under which its broker holds its own identity
 * @param project the only project it reviews; null: any
 * @param folder it reviews only projects whose files are there; null: any folder
 * @param process null until it has been started
 * @param contactAt when it first made contact; null: never
 * @param lastActiveAt when it last did something; waiting for work does not count
 * @param claims how many reviews it has claimed
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
     * @param machine process ids are valid only there
     */
    public record Host(String machine, Started broker) {}

    /**
     * A process, distinguished from earlier ones with the same process id.
     *
     * @param startedAt in milliseconds, from the machine's own origin
     */
    public record Started(long pid, long startedAt) {}

    public record Draining(Instant since, String reason) {}

    /** @param exitCode null: unknown */
    public record Ended(
            Instant at,
            String reason,
            @Nullable Integer exitCode,
            @Nullable String lastOutput) {}

    /** What it has done. */
    public record Work(long completed, Duration time, long approvals, long rejections) {}

    /** A reviewer that is about to be started; only the hash of its token is stored. */
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

    /** A reviewer's engine, from its id: {@code <engine>-r<n>-<session>}. */
    public static String engine(String id) {
        int end = id.indexOf("-r");
        return end < 0 ? id : id.substring(0, end);
    }
}
