package dev.holdfast.agent;

import dev.holdfast.claim.InvalidException;
import java.util.Set;
import java.util.regex.Pattern;

/** Names that no session can have, because the broker uses them for itself and its reviewers. */
public final class ReservedNames {
    private static final Pattern OF_THE_POOL = Pattern.compile("[a-z]+-r\\d+-[0-9a-f]{8}");

    /** The name under which a broker finishes tasks. */
    private static final Pattern OF_A_BROKER = Pattern.compile("broker-.+-\\d+-[0-9a-f]{1,8}");

    /** Names that events and verdicts use as actors. */
    private static final Set<String> INTERNAL =
            Set.of("broker", "broker-validator", "pool-manager", "proposer", "reviewer", "holdfast");

    private static final String BROKERS = "broker:";

    private ReservedNames() {}

    /** Whether this could be the id of a broker's own reviewer. */
    public static boolean ofThePool(String name) {
        return name.contains("-r") && OF_THE_POOL.matcher(name).matches();
    }

    /** Whether this could be the name of a broker. */
    public static boolean ofABroker(String name) {
        return name.startsWith("broker-") && OF_A_BROKER.matcher(name).matches();
    }

    /** @throws InvalidException if the name is reserved */
    public static void check(String name) {
        if (ofThePool(name) || ofABroker(name) || INTERNAL.contains(name) || name.startsWith(BROKERS)) {
            throw new InvalidException(
                    "name '" + name + "' is reserved for the broker and its reviewers; choose another");
        }
    }
}
