package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.event.Signals;
import dev.holdfast.store.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Claims that wait: tried at once, and again whenever something happens that may let them through. A waiter that is
 * woken but does not use the wake-up passes it on.
 */
final class WaitingClaims {
    private final Signals signals;

    WaitingClaims(Signals signals) {
        this.signals = signals;
    }

    /** Waits until one resource is free. */
    ClaimOutcome claim(ClaimRequest asked, Supplier<CompletableFuture<ClaimOutcome>> attempt) {
        long deadline = deadline(asked.patience());
        Signals.Seen seen = signals.look(Announcements.topic(asked.resource()));
        ClaimOutcome outcome = AwaitOutcome.of(attempt.get(), busy -> busy);
        while (outcome instanceof Refusal.Held held && !passed(deadline)) {
            Signals.Waiter waiter = signals.enlist(held, _ -> true, watched(held, seen));
            boolean used = false;
            try {
                waiter.await(sooner(deadline, held.remaining()));
                seen = signals.look(seen.topic());
                outcome = AwaitOutcome.of(attempt.get(), busy -> busy);
                // still held: somebody else's grant consumed the wake-up
                used = outcome instanceof Granted || outcome instanceof Refusal.Held;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                waiter.leave(used);
            }
        }
        return outcome;
    }

    /** A softly held resource becomes free when it is released or when its outer claim is over. */
    private Signals.Seen[] watched(Refusal.Held held, Signals.Seen seen) {
        OuterClaim under = held.under();
        return under == null
                ? new Signals.Seen[] {seen}
                : new Signals.Seen[] {seen, signals.look(Announcements.topic(under.resource()))};
    }

    /** An expiring lease signals nobody, so look again when it has expired. */
    private static long sooner(long deadline, Duration remaining) {
        long expiry = System.nanoTime() + remaining.plusMillis(1).toNanos();
        return expiry - deadline < 0 ? expiry : deadline;
    }

    /** Waits until there is something of a kind. */
    ClaimOutcome claimNext(NextAttempt nextAttempt, Function<NextAttempt, CompletableFuture<ClaimOutcome>> attempt) {
        long deadline = deadline(nextAttempt.asked().patience());
        Signals.Seen seen = signals.look(Announcements.topic(nextAttempt.asked().kind()));
        ClaimOutcome outcome = AwaitOutcome.of(attempt.apply(nextAttempt), busy -> busy);
        int tries = 0;
        while ((outcome instanceof Nothing || outcome instanceof Refusal.Busy) && !passed(deadline)) {
            if (outcome instanceof Refusal.Busy) { // a caller that has time to wait has time to retry
                Failure.pauseAfter(tries++);
                seen = signals.look(seen.topic());
                outcome = AwaitOutcome.of(attempt.apply(nextAttempt), busy -> busy);
                continue;
            }
            Signals.Waiter waiter = signals.enlist(nextAttempt, nextAttempt::wants, seen);
            boolean used = false;
            try {
                boolean woken = waiter.await(deadline);
                Optional<Object> delivered = waiter.delivered();
                if (delivered.isPresent()) { // it belongs to the caller now, whatever else has happened
                    used = true;
                    return (ClaimOutcome) delivered.get();
                }
                if (!woken || signals.closed()) {
                    return outcome;
                }
                seen = signals.look(seen.topic());
                outcome = AwaitOutcome.of(attempt.apply(nextAttempt), busy -> busy);
                // Nothing: somebody else's grant consumed the wake-up
                used = outcome instanceof Granted || outcome instanceof Nothing;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return outcome;
            } finally {
                waiter.leave(used);
            }
        }
        return outcome;
    }

    private static long deadline(Duration wait) {
        return System.nanoTime() + wait.toNanos();
    }

    private boolean passed(long deadline) {
        return deadline - System.nanoTime() <= 0
                || signals.closed()
                || Thread.currentThread().isInterrupted();
    }
}
