package dev.holdfast.claim;

import java.util.List;

/**
 * The state of everything that a holder has.
 *
 * @param extended its confirmed claims, with their new expiry
 * @param unconfirmed grants that it has not named yet; they expire unless it does
 * @param lost claims it has lost and not been told about; see {@link Claims#markReported}
 */
public record HolderHeartbeat(List<Claim> extended, List<Claim> unconfirmed, List<DisplacedClaim> lost) {}
