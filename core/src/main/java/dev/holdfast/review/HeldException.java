package dev.holdfast.review;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Refusal;
import java.time.Duration;
import java.util.Objects;

/** Somebody holds the review; known as it was under the lock, also in the words of claims. */
final class HeldException extends RefusedException {
    private static final long serialVersionUID = 1;

    private final transient Refusal.Held refusal;

    HeldException(RefusedException invalid, Changes.Locked locked) {
        super(invalid.code(), String.valueOf(invalid.getMessage()));
        Claim claim = Objects.requireNonNull(locked.standing().claim());
        refusal = new Refusal.Held(
                locked.resource(),
                claim.holder(),
                claim.claimedAt(),
                claim.expiresAt(),
                Duration.between(ReviewTable.instant(locked.now()), claim.expiresAt()),
                null);
    }

    Refusal.Held refusal() {
        return refusal;
    }
}
