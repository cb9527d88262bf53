package dev.holdfast.review.record;

import dev.holdfast.agent.Caller;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is about to review, as far as known.
 *
 * @param agent its identity, whatever name it reviews under; null: unknown
 * @param engine what it is: claude, codex, person, ...; null: unknown
 * @param kin the agents that count as this one, and the name it reviews under
 */
public record ReviewerIdentity(
        @Nullable String agent,
        Caller.Known known,
        @Nullable String engine,
        Set<String> kin) {
    /** For people to read. */
    public String shown() {
        if (agent != null) {
            return agent;
        }
        return kin.isEmpty() ? "unknown" : String.join(" or ", kin);
    }
}
