package dev.holdfast.agent;

import dev.holdfast.claim.InvalidException;
import java.util.Set;
import java.util.regex.Pattern;

/** Names that no session can have, because the broker writes them for itself and its reviewers. */
public final class ReservedNames {
    private static final Pattern OF_THE_POOL = Pattern.compile("[a-z]+-r\\d+-[0-9a-f]{8}");

    /** Under this a broker finishes tasks. */
    private static final Pattern OF_A_BROKER = Pattern.compile("broker-.+-\\d+-[0-9a-f]{1,8}");

    /** Those that events and verdicts name as their actors. */
    private static final Set<String> INTERNAL =
            Set.of("broker", "broker-validator", "pool-manager", "proposer", "reviewer", "holdfast");

    private static final String BROKERS = "broker:";

    private ReservedNames() {}

    /** Whether a reviewer that a broker runs could have this id. */
    public static boolean ofThePool(String name) {
        return OF_THE_POOL.matcher(name).matches();
    }

    /** Whether a broker could call itself so. */
    public static boolean ofABroker(String name) {
        return OF_A_BROKER.matcher(name).matches();
    }

    /** @throws InvalidException when nobody else may have this name */
    public static void check(String name) {
        if (ofThePool(name) || ofABroker(name) || INTERNAL.contains(name) || name.startsWith(BROKERS)) {
            throw new InvalidException(
                    "name '" + name + "' is reserved for the broker and its reviewers; choose another");
        }
    }
}
