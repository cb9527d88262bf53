package dev.holdfast.broker.verb.pool;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.review.pool.PoolReviewer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A reviewer of the pool and its figures. */
record PoolReviewerJson(
        String id,
        String displayName,
        String status,

        @Field(value = "its process", orNull = true) @Nullable
        Long pid,

        @Field("when it was started") Instant spawnedAt,
        @Field("when it last did something") Instant lastActiveAt,
        @Field("reviews it has now") long holding,
        @Field("completed reviews") long reviewsCompleted,
        @Field("total time from claim to verdict") double totalReviewSeconds,
        @Field("how many it approved") long approvals,

        @Field("how many it did not approve") long rejections,

        @Field(value = "from claim to verdict", orNull = true) @Nullable
        Double averageReviewSeconds,

        @Field(value = "percentage approved", orNull = true) @Nullable
        Double approvalRatePct,

        @Field(orNull = true) @Nullable String projectScope,
        @Field(orNull = true) @Nullable String folderScope,
        String workspacePath,
        String broker,
        @Nullable String drainReason,
        @Field("when it ended") @Nullable Instant terminatedAt,
        @Nullable String endReason,

        @Field(value = "of its process", min = Long.MIN_VALUE) @Nullable
        Integer exitCode,

        @Nullable String lastOutput) {
    static PoolReviewerJson of(PoolReviewer reviewer, long holding) {
        PoolReviewer.Work work = reviewer.work();
        double seconds = work.time().toMillis() / 1000.0;
        boolean none = work.completed() == 0;
        PoolReviewer.Ended ended = reviewer.ended();
        return new PoolReviewerJson(
                reviewer.id(),
                reviewer.displayName(),
                reviewer.state().toString(),
                pid(reviewer),
                reviewer.spawnedAt(),
                reviewer.lastActiveAt(),
                holding,
                work.completed(),
                seconds,
                work.approvals(),
                work.rejections(),
                none ? null : rounded(seconds / work.completed()),
                none ? null : rounded(100.0 * work.approvals() / work.completed()),
                reviewer.project(),
                reviewer.folder(),
                reviewer.workspace(),
                reviewer.broker(),
                reviewer.draining() == null ? null : reviewer.draining().reason(),
                ended == null ? null : ended.at(),
                ended == null ? null : ended.reason(),
                ended == null ? null : ended.exitCode(),
                ended == null ? null : ended.lastOutput());
    }

    static @Nullable Long pid(PoolReviewer reviewer) {
        return reviewer.process() == null ? null : reviewer.process().pid();
    }

    private static double rounded(double number) {
        return Math.round(number * 10) / 10.0;
    }
}
