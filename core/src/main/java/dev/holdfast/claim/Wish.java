package dev.holdfast.claim;

/** A claim-next as the engine takes it: with the lease in microseconds and the id that marks the grant it brings. */
record Wish(NextRequest asked, long lease, String requestId) {
    boolean wants(Object item) {
        return item instanceof Item ready && ready.fits(asked.filter());
    }
}
