package dev.holdfast.broker.dashboard.part;

import dev.holdfast.agent.ReservedNames;
import java.util.Locale;

/** Somebody who acts, with a mark that shows the kind at a glance. */
public record Actor(String name) {
    /** The mark's letter: X and C stand for the two most common kinds of agents, Codex and Claude. */
    public String letter() {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("codex")) {
            return "X";
        }
        return name.isEmpty()
                ? "?"
                : name.substring(0, name.offsetByCodePoints(0, 1)).toUpperCase(Locale.ROOT);
    }

    /** The style class of the mark. */
    public String look() {
        if (ReservedNames.ofThePool(name)) {
            return "reviewer";
        }
        return isAgent() ? "" : "person";
    }

    /** In words, for somebody without a session. */
    public String kind() {
        return switch (look()) {
            case "reviewer" -> "reviewer of the pool";
            case "person" -> "person";
            default -> "agent without a session";
        };
    }

    /** Without the random end of a pool reviewer's name. */
    public String shown() {
        return ReservedNames.ofThePool(name) ? name.substring(0, name.lastIndexOf('-')) : name;
    }

    /** Agents' names end in letters and digits of their session. */
    private boolean isAgent() {
        return name.matches(
                        "(?i)(claude|codex|agent|rules|broker|gemini|step|worker|processor|pool-manager|holdfast)\\b.*")
                || name.matches(".*-[0-9a-f]{4,}");
    }
}
