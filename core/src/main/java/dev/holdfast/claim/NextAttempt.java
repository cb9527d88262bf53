package dev.holdfast.claim;

/**
 * A claim-next in the form that the engine takes: with the lease in microseconds and the id that marks the resulting
 * grant.
 *
 * @param acceptsDirectGrant a resource created while this waits may be granted to it directly; false if the caller has more
 *     to check
 */
record NextAttempt(NextRequest asked, long lease, String requestId, boolean acceptsDirectGrant) {
    /**
     * Something new that may be granted to a waiter in the transaction that creates it, without the waiter asking
     * again.
     */
    record Handed(Item item) {}

    boolean wants(Object offered) {
        return switch (offered) {
            case Item ready -> ready.fits(asked.filter());
            case Handed handed -> acceptsDirectGrant && handed.item().fits(asked.filter());
            default -> false;
        };
    }
}
