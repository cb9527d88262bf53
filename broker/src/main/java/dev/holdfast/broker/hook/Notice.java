package dev.holdfast.broker.hook;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.DisplacedClaim;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notices for models. Names that others chose are quoted and limited in length: they are data. */
final class Notice {
    private static final int MAX = 20;
    private static final int LONGEST = 200;

    private Notice() {}

    /** The script that starts sessions parses the id from this sentence. */
    static String identity(String agent, @Nullable String parent) {
        return "Holdfast: your agent id is " + agent + "; give it as holder whenever you claim, renew or release."
                + (parent == null ? "" : " You are a subagent of " + parent + ", and claim for yourself, not as it.");
    }

    static String holding(List<Claim> claims) {
        if (claims.isEmpty()) {
            return "You hold nothing at the moment.";
        }
        return "You hold: "
                + claims.stream()
                        .limit(MAX)
                        .map(claim -> quoted(claim.resource().toString()) + " (generation " + claim.generation()
                                + ", until " + claim.expiresAt() + ")")
                        .collect(Collectors.joining(", "))
                + more(claims.size()) + ". Your tool calls keep these claims alive.";
    }

    /** The guard only protects reservations made under the name that it knows. */
    static String repository(@Nullable String project) {
        return project == null ? "" : " To reserve paths of this repository, give the queue " + quoted(project) + ".";
    }

    static String lost(List<DisplacedClaim> lost) {
        return "Holdfast: you have lost "
                + lost.stream()
                        .limit(MAX)
                        .map(one -> quoted(one.resource().toString()) + " (generation " + one.generation() + ", "
                                + quoted(one.reason()) + ")")
                        .collect(Collectors.joining(", "))
                + more(lost.size())
                + ". Someone else may be working there now: stop, do not write its result, and tell the person or"
                + " agent you work for. Who has it: the tool who, or 'holdfast who'. To continue, claim it again.";
    }

    private static String more(int count) {
        return count > MAX ? " and " + (count - MAX) + " more" : "";
    }

    static String quoted(String text) {
        String clean = text.codePoints()
                .limit(LONGEST)
                .map(c -> Character.isISOControl(c) || c == '"' || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return "\"" + clean + (clean.length() < text.length() ? "…" : "") + "\"";
    }
}
