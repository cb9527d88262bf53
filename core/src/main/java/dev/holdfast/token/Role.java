package dev.holdfast.token;

import dev.holdfast.claim.InvalidException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the holder of a token is there for. One table in the broker says which calls a role allows. */
public enum Role {
    /** Proposes changes, and handles the verdicts on them. */
    PROPOSER,
    /** Judges other people's and agents' changes. */
    REVIEWER,
    /** Claims work items and steps, and reserves files. */
    WORKER,
    /** Creates tasks and ends them. */
    PROCESSOR,
    /** Reads, and changes nothing. */
    VIEWER,
    /** May do everything, tokens included. */
    ADMIN;

    public static Role of(String word) {
        return Arrays.stream(values())
                .filter(role -> role.toString().equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new InvalidException("there is no role '" + word + "'; the roles are " + words()));
    }

    private static String words() {
        return Arrays.stream(values()).map(Role::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
