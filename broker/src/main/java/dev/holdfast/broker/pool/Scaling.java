package dev.holdfast.broker.pool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Rules for starting and ending reviewers.
 *
 * @param max the most processes this broker may run
 * @param ratio the target number of pending reviews per reviewer
 * @param cooldown the pause between rounds of starts
 * @param start how long a reviewer may take to make its first call
 * @param idle how long a reviewer may be idle
 * @param ttl the age at which a reviewer is replaced
 * @param claimTimeout how long a draining reviewer may keep working on what it holds
 * @param spawnsPerDay null: no limit
 * @param reviewsPerHour null: no limit
 */
public record Scaling(
        int max,
        double ratio,
        Duration cooldown,
        Duration start,
        Duration idle,
        Duration ttl,
        Duration claimTimeout,
        @Nullable Long spawnsPerDay,
        @Nullable Long reviewsPerHour) {}
