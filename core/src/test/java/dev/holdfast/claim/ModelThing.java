package dev.holdfast.claim;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One claimable thing of the model: what it is, whether it can be claimed, who has it, and how its last grant was
 * ended.
 */
final class ModelThing {
    /** Its status when nobody has it. */
    enum Status {
        READY,
        BLOCKED,
        DONE
    }

    /** Somebody's hold on it. A soft one has an outer claim, and neither a lease nor a generation of its own. */
    record Grant(
            String holder,
            long generation,
            Instant since,
            Instant renewed,
            @Nullable Instant until,
            @Nullable Duration lease,
            boolean confirmed,
            @Nullable String requestId,
            @Nullable OuterClaim under) {
        boolean soft() {
            return under != null;
        }

        /**
         * The same grant, with the later of the two expiries; {@code named}: its holder has shown that it knows of it.
         */
        Grant renewed(Instant now, Duration length, boolean named) {
            Instant later = now.plus(length);
            Instant before = until == null ? Instant.EPOCH : until;
            return new Grant(
                    holder,
                    generation,
                    since,
                    now,
                    later.isAfter(before) ? later : before,
                    length,
                    confirmed || named,
                    requestId,
                    under);
        }

        Grant named() {
            return new Grant(holder, generation, since, renewed, until, lease, true, requestId, under);
        }
    }

    /** The last grant that was ended by its holder, and how. */
    record Ended(String holder, long generation, Ending ending) {}

    final NewResource made;
    final long age;
    Status status;

    @Nullable
    Instant notBefore;

    boolean kept;
    long generation;

    @Nullable
    Grant grant;

    @Nullable
    Ended ended;

    int attempts;

    @Nullable
    String note;

    @Nullable
    Instant idleSince;

    ModelThing(NewResource made, long age, long generation) {
        this.made = made;
        this.age = age;
        this.generation = generation;
        status = made.blocked() ? Status.BLOCKED : Status.READY;
        notBefore = made.notBefore();
    }

    Resource resource() {
        return made.resource();
    }

    /** The generation that a fence must show now. */
    long fence() {
        Grant current = grant;
        return current == null ? generation : current.generation();
    }

    boolean due(Instant now) {
        Instant from = notBefore;
        return from == null || !from.isAfter(now);
    }

    /** Counts a grant that failed or expired; true if that was one too many. */
    boolean failedOnceMore() {
        attempts++;
        Integer max = made.maxAttempts();
        return max != null && attempts >= max;
    }

    void free(Status next, Instant now) {
        grant = null;
        status = next;
        notBefore = null;
        idleSince = next == Status.READY ? now : null;
    }
}
