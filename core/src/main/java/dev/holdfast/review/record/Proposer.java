package dev.holdfast.review.record;

import dev.holdfast.agent.Caller;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who submitted a round of a review, as far as known.
 *
 * @param agent its identity; null: unknown, or one of several
 * @param engine what it was: claude, codex, person, ...; null: unknown
 * @param kin the agents that count as this one
 */
public record Proposer(
        int round,
        @Nullable String agent,
        Caller.Known known,
        @Nullable String engine,
        Set<String> kin) {
    /** Whether one of these agents counts as this proposer. */
    public boolean isOneOf(Set<String> agents) {
        return !Collections.disjoint(kin, agents);
    }

    /** For people to read. */
    public String shown() {
        if (agent != null) {
            return agent;
        }
        return kin.isEmpty() ? "an unknown proposer" : "one of " + String.join(", ", kin);
    }
}
