package dev.holdfast.claim;

/**
 * A claim-next as the engine takes it: with the lease in microseconds and the id that marks the grant it brings.
 *
 * @param takesFromHand what is made while it waits may be granted without asking; not when there is more to check
 */
record NextAttempt(NextRequest asked, long lease, String requestId, boolean takesFromHand) {
    /** Something new that may be given to a waiter in the transaction that makes it, without its asking again. */
    record Handed(Item item) {}

    boolean wants(Object offered) {
        return switch (offered) {
            case Item ready -> ready.fits(asked.filter());
            case Handed handed -> takesFromHand && handed.item().fits(asked.filter());
            default -> false;
        };
    }
}
