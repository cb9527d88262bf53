package dev.holdfast.broker.dashboard.part;

import dev.holdfast.claim.Claim;
import java.time.Duration;
import java.time.Instant;

/**
 * What is left of a claim, drawn as a rope that gets shorter.
 *
 * @param from when it was last renewed
 */
public record Lease(Instant from, Instant until, Instant now) {
    private static final double WHOLE = 92;
    private static final double LOW = 0.2;

    public static Lease of(Claim claim, Instant now) {
        return new Lease(claim.renewedAt(), claim.expiresAt(), now);
    }

    /** The part that is left, from 0 to 1. */
    public double left() {
        double all = Math.max(1, Duration.between(from, until).toMillis());
        return Math.clamp(Duration.between(now, until).toMillis() / all, 0, 1);
    }

    /** The rope's length in the drawing, which is 96 wide with room for the knot. */
    public String length() {
        return OneDecimal.of(left() * WHOLE);
    }

    /** The style class for how much is left. */
    public String state() {
        return left() == 0 ? "out" : left() < LOW ? "low" : "";
    }

    public String leftWords() {
        return When.in(Duration.between(now, until));
    }

    public String says() {
        Duration left = Duration.between(now, until);
        return left.isNegative()
                ? "ran out " + When.in(left.negated()) + " ago"
                : When.in(left) + " of " + When.in(Duration.between(from, until)) + " left";
    }
}
