package dev.holdfast.claim;

import dev.holdfast.claim.Ending.How;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each operation does to a locked row: pure decisions from the row and the time, without a database.
 *
 * <p>PostgreSQL's combined statement decides the frequent cases in SQL ({@link CombinedStatement}); the tests check
 * both against an independent model.
 */
final class Rules {
    private Rules() {}

    /**
     * A soft claim is alive while the grant it was made under is the outer resource's current one, and not itself soft.
     */
    static boolean alive(ResourceRow row, @Nullable ResourceRow outer) {
        return row.under != null
                && outer != null
                && outer.held()
                && outer.under == null
                && outer.generation == row.under.generation()
                && Objects.equals(outer.holder, row.holder);
    }

    /** Held softly so that nobody else may take it: alive, and the outer lease has not expired. */
    static boolean softlyHeld(ResourceRow row, @Nullable ResourceRow outer, long now) {
        return outer != null && alive(row, outer) && !outer.expired(now);
    }

    /** Whether the row may be granted to somebody new: it is free and due, or its lease has expired. */
    static boolean free(ResourceRow row, @Nullable ResourceRow outer, long now) {
        return switch (row.state) {
            case READY -> row.notBefore == null || row.notBefore <= now;
            case HELD -> row.under == null ? row.expired(now) : !softlyHeld(row, outer, now);
            case BLOCKED, DONE -> false;
        };
    }

    /** Whether the caller already has this grant, by its request id or by the generation it presents. */
    static boolean alreadyHolds(ResourceRow row, ClaimRequest asked, String requestId) {
        return row.held()
                && row.under == null
                && asked.holder().equals(row.holder)
                && (requestId.equals(row.requestId) || Objects.equals(asked.generation(), row.generation));
    }

    /** @param least the lowest generation allowed; the new one is also higher than any before it */
    static void grant(ResourceRow row, String holder, long lease, String requestId, long least, long now) {
        row.state = State.HELD;
        row.holder = holder;
        row.generation = Math.max(row.generation + 1, least);
        row.acquiredAt = now;
        row.renewedAt = now;
        row.expiresAt = now + lease;
        row.lease = lease;
        row.confirmed = false;
        row.requestId = requestId;
        row.under = null;
        row.notBefore = null;
        row.kept = false;
        row.readySince = null;
    }

    static void grantSoftly(ResourceRow row, String holder, OuterClaim under, String requestId, long now) {
        row.state = State.HELD;
        row.holder = holder;
        row.acquiredAt = now;
        row.renewedAt = now;
        row.expiresAt = null;
        row.lease = null;
        row.confirmed = true;
        row.requestId = requestId;
        row.under = under;
        row.notBefore = null;
        row.kept = false;
        row.readySince = null;
    }

    /** A renewal extends a lease or leaves it as it is; it never shortens one. */
    static void renew(ResourceRow row, @Nullable Long lease, boolean named, long now) {
        if (lease != null) {
            row.lease = lease;
        }
        long length = row.lease == null ? 0 : row.lease;
        row.renewedAt = now;
        row.expiresAt = Math.max(row.expiresAt == null ? 0 : row.expiresAt, now + length);
        row.confirmed |= named;
    }

    /** Passes only if this holder holds it at this generation. */
    static Optional<Refusal> guard(ResourceRow row, Fence fence) {
        String holder = fence.holder();
        Long generation = fence.generation();
        if (holder == null || generation == null) {
            return Optional.of(new Refusal.FenceMissing(row.resource));
        }
        long current = row.effectiveGeneration();
        if (generation != current) {
            return Optional.of(new Refusal.Stale(row.resource, generation, current));
        }
        String ended = Objects.equals(row.endedGeneration, generation) ? row.endedBy : null;
        String last = row.held() ? row.holder : ended;
        if (last != null && !last.equals(holder)) {
            return Optional.of(new Refusal.WrongHolder(row.resource, holder, last));
        }
        return row.held() ? Optional.empty() : Optional.of(new Refusal.NotHeld(row.resource));
    }

    /** For callers that only want to know whether they still hold it; a soft claim that is over has no holder. */
    static Refusal asLost(ResourceRow row, @Nullable ResourceRow outer, Refusal refusal) {
        return switch (refusal) {
            case Refusal.Stale _, Refusal.WrongHolder _, Refusal.NotHeld _ ->
                row.under == null || !alive(row, outer)
                        ? new Refusal.Lost(row.resource, row.under == null ? row.holder : null, row.generation)
                        : new Refusal.Lost(row.resource, row.holder, row.under.generation());
            default -> refusal;
        };
    }

    /** A key that nobody has ever claimed is not held; any other resource that was never created does not exist. */
    static <T extends Refusal> Refusal missing(Resource resource, T ifFreeStanding) {
        return resource.kind().freeStanding() ? ifFreeStanding : new Refusal.NotFound(resource);
    }

    /** The answer to an ending that the guard refuses. For a release, all that matters is whether the claim is gone. */
    static EndOutcome refuseEnding(
            ResourceRow row, @Nullable ResourceRow outer, Fence fence, Ending ending, Refusal refusal) {
        Refusal plain = ending.how() == How.RELEASED && !(refusal instanceof Refusal.NotHeld)
                ? asLost(row, outer, refusal)
                : refusal;
        return alreadyEnded(row, fence, ending).orElse(plain);
    }

    /**
     * The guard may have refused because this grant has already ended: repeating the same ending is a replay, a
     * different one is refused.
     */
    static Optional<EndOutcome> alreadyEnded(ResourceRow row, Fence fence, Ending ending) {
        if (!fence.complete()
                || !Objects.equals(row.endedGeneration, fence.generation())
                || !Objects.equals(row.endedBy, fence.holder())) {
            return Optional.empty();
        }
        String before = Objects.requireNonNull(row.endedAs);
        if (!before.equals(ending.signature())) {
            return Optional.of(new Refusal.BadState(row.resource, Ending.readable(before)));
        }
        return Optional.of(new EndOutcome.Ended(
                row.resource,
                Objects.requireNonNull(row.endedGeneration),
                ending.how(),
                true,
                ending.how() == How.FAILED && row.state == State.BLOCKED));
    }

    /** Ends the claim for its holder. Returns whether the resource was parked because it failed too often. */
    static boolean end(ResourceRow row, Ending ending, long now) {
        row.endedGeneration = row.effectiveGeneration();
        row.endedBy = row.holder;
        row.endedAs = ending.signature();
        boolean parked = false;
        switch (ending.how()) {
            case RELEASED -> {
                row.kept |= ending.keepStatus();
                row.note = ending.note() == null ? row.note : ending.note();
                setFree(row, State.READY, now);
            }
            case COMPLETED -> {
                row.note = null;
                setFree(row, State.DONE, now);
            }
            case FAILED -> {
                row.note = ending.note() == null ? row.note : ending.note();
                parked = countFailure(row);
                setFree(row, parked ? State.BLOCKED : State.READY, now);
                Duration retryAfter = ending.retryAfter();
                row.notBefore = retryAfter == null || parked ? null : now + retryAfter.toNanos() / 1_000;
            }
        }
        return parked;
    }

    /**
     * The broker reclaims: nobody holds the resource, and its generation increases, which fences the holder out.
     * Returns whether the resource was parked.
     */
    static boolean reclaim(ResourceRow row, boolean expired, long now) {
        boolean parked = expired && parksWhenItExpires(row);
        if (expired) {
            countExpiry(row);
        }
        if (row.under == null) {
            row.generation++;
        }
        setFree(row, parked ? State.BLOCKED : State.READY, now);
        return parked;
    }

    /** An expiry counts as a failure only if the holder knew about the grant. */
    static void countExpiry(ResourceRow row) {
        if (countsWhenItExpires(row)) {
            countAttempt(row);
        }
    }

    /** Saturates instead of overflowing the column, which would make the row unusable. */
    private static void countAttempt(ResourceRow row) {
        row.attempts = row.attempts == Integer.MAX_VALUE ? Integer.MAX_VALUE : row.attempts + 1;
    }

    static boolean parksWhenItExpires(ResourceRow row) {
        return countsWhenItExpires(row) && row.maxAttempts != null && row.attempts >= row.maxAttempts - 1;
    }

    private static boolean countsWhenItExpires(ResourceRow row) {
        return row.held() && row.under == null && row.confirmed;
    }

    /** Counts a failed grant; returns true if that was one too many. */
    private static boolean countFailure(ResourceRow row) {
        countAttempt(row);
        return row.maxAttempts != null && row.attempts >= row.maxAttempts;
    }

    static void setFree(ResourceRow row, State state, long now) {
        row.state = state;
        row.holder = null;
        row.acquiredAt = null;
        row.renewedAt = null;
        row.expiresAt = null;
        row.lease = null;
        row.confirmed = false;
        row.requestId = null;
        row.under = null;
        if (state == State.READY && row.barred) {
            row.state = State.BLOCKED;
        }
        row.barred = false;
        row.readySince = row.state == State.READY ? Long.valueOf(now) : null;
    }

    /** Why the row cannot be granted to this caller now. */
    static Refusal notFree(ResourceRow row, @Nullable ResourceRow outer, long now) {
        if (row.held()) {
            Long expiry = row.under == null || outer == null ? row.expiresAt : outer.expiresAt;
            long expiresAt = expiry == null ? now : expiry;
            return new Refusal.Held(
                    row.resource,
                    Objects.requireNonNull(row.holder),
                    ResourceRow.instant(Objects.requireNonNull(row.acquiredAt)),
                    ResourceRow.instant(expiresAt),
                    Duration.ofNanos(Math.max(0, expiresAt - now) * 1_000),
                    row.under);
        }
        Long notBefore = row.notBefore;
        return new Refusal.NotClaimable(
                row.resource,
                row.state == State.READY && notBefore != null
                        ? "not due before " + ResourceRow.instant(notBefore).truncatedTo(ChronoUnit.MILLIS)
                        : row.state.toString());
    }
}
