package dev.holdfast.review.record;

import java.util.Arrays;
import java.util.Locale;

/** How urgent a review is: as its proposer says or, by default, depending on who proposes what. */
public enum Priority {
    CRITICAL(0),
    NORMAL(2),
    LOW(4);

    private final int rank;

    Priority(int rank) {
        this.rank = rank;
    }

    public static Priority of(String agentType, String phase) {
        if (agentType.toLowerCase(Locale.ROOT).contains("planner")) {
            return CRITICAL;
        }
        return phase.toLowerCase(Locale.ROOT).contains("verify") ? LOW : NORMAL;
    }

    /** An unknown name counts as normal. */
    public static Priority named(String name) {
        return Arrays.stream(values())
                .filter(priority -> priority.toString().equals(name))
                .findFirst()
                .orElse(NORMAL);
    }

    static Priority ofRank(long rank) {
        return rank < NORMAL.rank ? CRITICAL : rank == NORMAL.rank ? NORMAL : LOW;
    }

    /** The rank in claims: lowest first. */
    public int rank() {
        return rank;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
