package dev.holdfast.bench;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.EndedAndNext;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** One agent that only claims and completes, as fast as it gets answers. */
final class AgentLoop {
    /** What an agent does in each turn. */
    enum Way {
        /** Claim the next work item, then complete it. */
        COMPLETE,
        /** Complete one and claim the next in the same call. */
        FUSED,
        /** Claim the next work item, timed; complete it, not timed. */
        NEXT_TIMED,
        /** Claim an existing key by name, timed; release it, not timed. */
        NAME_TIMED
    }

    private final Claims claims;
    private final String holder;
    private final Guards guards;
    private final BooleanSupplier measuring;
    private final BooleanSupplier stopped;
    private final NextRequest next;
    private final Stopwatch times = new Stopwatch();

    AgentLoop(Claims claims, String holder, Guards guards, BooleanSupplier measuring, BooleanSupplier stopped) {
        this.claims = claims;
        this.holder = holder;
        this.guards = guards;
        this.measuring = measuring;
        this.stopped = stopped;
        next = NextRequest.of(Kind.WORK, holder);
    }

    Stopwatch times() {
        return times;
    }

    void run(Way way, AtomicInteger names) {
        switch (way) {
            case COMPLETE, NEXT_TIMED -> claimAndComplete();
            case FUSED -> completeAndNext();
            case NAME_TIMED -> claimByName(names);
        }
    }

    private void claimAndComplete() {
        while (!stopped.getAsBoolean()) {
            Optional<Claim> claim = take();
            if (claim.isEmpty()) {
                return;
            }
            complete(claim.get());
        }
    }

    private void completeAndNext() {
        Optional<Claim> held = take();
        while (held.isPresent() && !stopped.getAsBoolean()) {
            Claim claim = held.get();
            long before = System.nanoTime();
            EndedAndNext answer =
                    claims.completeAndNext(claim.resource(), claim.fence(), Ending.completed("done"), next);
            took(before);
            if (accepted(claim, answer.ended())) {
                ClaimOutcome outcome = answer.next();
                held = outcome == null || outcome instanceof Refusal.Busy ? take() : granted(outcome);
            }
        }
        held.ifPresent(this::complete);
    }

    private void claimByName(AtomicInteger names) {
        while (!stopped.getAsBoolean()) {
            Resource key = Resource.key(Integer.toString(names.incrementAndGet()));
            long before = System.nanoTime();
            ClaimOutcome outcome = claims.claim(ClaimRequest.of(key, holder));
            took(before);
            granted(outcome).ifPresent(claim -> {
                if (accepted(claim, claims.release(claim, null))) {
                    return;
                }
                guards.violated(key + " could not be released");
            });
        }
    }

    /** The next work item; empty when none is left. */
    private Optional<Claim> take() {
        while (true) {
            long before = System.nanoTime();
            ClaimOutcome outcome = claims.claimNext(next);
            took(before);
            if (!(outcome instanceof Refusal.Busy)) {
                return granted(outcome);
            }
        }
    }

    private Optional<Claim> granted(ClaimOutcome outcome) {
        return switch (outcome) {
            case ClaimOutcome.Granted granted -> {
                guards.granted(granted.claim());
                yield Optional.of(granted.claim());
            }
            // its own grant, whose answer was lost
            case ClaimOutcome.AlreadyHeld already -> Optional.of(already.claim());
            case ClaimOutcome.Nothing _ -> Optional.empty();
            case Refusal refusal -> {
                guards.violated("a claim by " + holder + " was refused: " + refusal.message());
                yield Optional.empty();
            }
        };
    }

    private void complete(Claim claim) {
        while (!accepted(claim, claims.complete(claim.resource(), claim.fence(), "done"))) {
            Thread.onSpinWait(); // busy: the outcome is unknown; repeating the call settles it
        }
    }

    /** False: ask again. */
    private boolean accepted(Claim claim, EndOutcome outcome) {
        return switch (outcome) {
            case EndOutcome.Ended _ -> {
                guards.completed(claim);
                yield true;
            }
            case Refusal.Busy _ -> false;
            case Refusal refusal -> {
                guards.violated(holder + " could not end " + claim.resource() + " at " + claim.generation() + ": "
                        + refusal.message());
                yield true;
            }
        };
    }

    private void took(long before) {
        if (measuring.getAsBoolean()) {
            times.took(System.nanoTime() - before);
        }
    }
}
