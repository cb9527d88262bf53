package dev.holdfast.broker.pool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When reviewers are started and ended.
 *
 * @param most how many processes of this broker at most
 * @param ratio pending reviews per reviewer that are not yet too many
 * @param cooldown between one round of starting and the next
 * @param start how long a reviewer may take to be heard of
 * @param idle how long a reviewer may do nothing
 * @param ttl how old a reviewer gets before it is replaced
 * @param claimTimeout how long one that is to end may still work on what it has
 * @param spawnsPerDay null: as many as needed
 * @param reviewsPerHour null: as many as there are
 */
public record Scaling(
        int most,
        double ratio,
        Duration cooldown,
        Duration start,
        Duration idle,
        Duration ttl,
        Duration claimTimeout,
        @Nullable Long spawnsPerDay,
        @Nullable Long reviewsPerHour) {}
