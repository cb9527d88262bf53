package dev.holdfast.claim;

import java.util.List;

/**
 * What became of everything a holder has.
 *
 * @param extended its confirmed claims, with their new expiry
 * @param unconfirmed grants that it has not named yet; they run out unless it does
 * @param lost what was taken from it and not yet reported; see {@link Claims#markReported}
 */
public record HolderHeartbeat(List<Claim> extended, List<Claim> unconfirmed, List<Displacement> lost) {}
