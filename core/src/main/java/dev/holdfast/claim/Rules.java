package dev.holdfast.claim;

import dev.holdfast.claim.Ending.How;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each operation does to a row that is locked: pure decisions on the row and the clock's time, no database.
 *
 * <p>PostgreSQL's combined statement decides the frequent cases in SQL ({@link CombinedStatement}); the tests hold both
 * against an independent model.
 */
final class Rules {
    private Rules() {}

    /** A soft claim is alive while the grant that it was made under is the outer's current one, and not a soft one. */
    static boolean alive(ResourceRow row, @Nullable ResourceRow outer) {
        return row.under != null
                && outer != null
                && outer.held()
                && outer.under == null
                && outer.generation == row.under.generation()
                && Objects.equals(outer.holder, row.holder);
    }

    /** Held softly so that nobody else may take it: alive, and the outer lease has not run out. */
    static boolean softlyHeld(ResourceRow row, @Nullable ResourceRow outer, long now) {
        return outer != null && alive(row, outer) && !outer.expired(now);
    }

    /** May the row be given to somebody new: free and due, or held by a lease that has run out? */
    static boolean free(ResourceRow row, @Nullable ResourceRow outer, long now) {
        return switch (row.state) {
            case READY -> row.notBefore == null || row.notBefore <= now;
            case HELD -> row.under == null ? row.expired(now) : !softlyHeld(row, outer, now);
            case BLOCKED, DONE -> false;
        };
    }

    /** Is this the very grant that the caller already has, by its request or by the generation it shows? */
    static boolean alreadyHolds(ResourceRow row, ClaimRequest asked, String requestId) {
        return row.held()
                && row.under == null
                && asked.holder().equals(row.holder)
                && (requestId.equals(row.requestId) || Objects.equals(asked.generation(), row.generation));
    }

    /** @param least the generation is one higher than any before it, and not less than this */
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

    static void grantSoftly(ResourceRow row, String holder, Under under, String requestId, long now) {
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

    /** Renewals lengthen a lease or leave it as it is; none ever shortens one. */
    static void renew(ResourceRow row, @Nullable Long lease, boolean named, long now) {
        if (lease != null) {
            row.lease = lease;
        }
        long length = row.lease == null ? 0 : row.lease;
        row.renewedAt = now;
        row.expiresAt = Math.max(row.expiresAt == null ? 0 : row.expiresAt, now + length);
        row.confirmed |= named;
    }

    /** Passes only if held, by this holder, at this generation. */
    static Optional<Refusal> guard(ResourceRow row, Fence fence) {
        String holder = fence.holder();
        Long generation = fence.generation();
        if (holder == null || generation == null) {
            return Optional.of(new Refusal.FenceMissing(row.resource));
        }
        long current = row.shownGeneration();
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

    /** For those who only want to know whether they still have it; a soft claim that is over has no holder. */
    static Refusal asLost(ResourceRow row, @Nullable ResourceRow outer, Refusal refusal) {
        return switch (refusal) {
            case Refusal.Stale _, Refusal.WrongHolder _, Refusal.NotHeld _ ->
                row.under == null || !alive(row, outer)
                        ? new Refusal.Lost(row.resource, row.under == null ? row.holder : null, row.generation)
                        : new Refusal.Lost(row.resource, row.holder, row.under.generation());
            default -> refusal;
        };
    }

    /** A key that nobody has ever claimed is not held; a thing that was never made does not exist. */
    static <T extends Refusal> Refusal missing(Resource resource, T ifFreeStanding) {
        return resource.kind().freeStanding() ? ifFreeStanding : new Refusal.NotFound(resource);
    }

    /** The answer to an ending that the guard refuses. A release only wants to know whether the claim is gone. */
    static EndOutcome refuseEnding(
            ResourceRow row, @Nullable ResourceRow outer, Fence fence, Ending ending, Refusal refusal) {
        Refusal plain = ending.how() == How.RELEASED && !(refusal instanceof Refusal.NotHeld)
                ? asLost(row, outer, refusal)
                : refusal;
        return alreadyEnded(row, fence, ending).orElse(plain);
    }

    /** What the guard refuses may be a grant that has ended: the same ending again is a replay, another a refusal. */
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

    /** The holder lets go. Returns whether the thing was parked because it failed too often. */
    static boolean end(ResourceRow row, Ending ending, long now) {
        row.endedGeneration = row.shownGeneration();
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
     * A claim is taken back by the broker: nobody holds it, and the generation moves on so that its holder is fenced
     * out. Returns whether the thing was parked.
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

    /** Only the expiry of a grant that its holder knew of counts as a failure. */
    static void countExpiry(ResourceRow row) {
        if (countsWhenItExpires(row)) {
            countAttempt(row);
        }
    }

    /** Without end, but not beyond what a column can hold: a row must not become one that nothing can be done with. */
    private static void countAttempt(ResourceRow row) {
        row.attempts = row.attempts == Integer.MAX_VALUE ? Integer.MAX_VALUE : row.attempts + 1;
    }

    static boolean parksWhenItExpires(ResourceRow row) {
        return countsWhenItExpires(row) && row.mostAttempts != null && row.attempts >= row.mostAttempts - 1;
    }

    private static boolean countsWhenItExpires(ResourceRow row) {
        return row.held() && row.under == null && row.confirmed;
    }

    /** Counts one failed grant; true when that was one too many. */
    private static boolean countFailure(ResourceRow row) {
        countAttempt(row);
        return row.mostAttempts != null && row.attempts >= row.mostAttempts;
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

    /** Why the row is not given to this caller now. */
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
