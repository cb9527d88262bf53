package dev.holdfast.agent;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import org.jspecify.annotations.Nullable;

/**
 * A session that starts, or continues after a resume: the same session id is the same agent.
 *
 * @param kind what runs it: claude, codex, person, processor, ...
 * @param parent the agent that started this one
 */
public record SessionStart(
        String sessionId,
        String kind,
        @Nullable String name,
        @Nullable String parent,
        @Nullable String host,
        @Nullable Long pid,
        @Nullable String project,
        @Nullable String branch) {
    public SessionStart {
        if (Text.limited("session_id", sessionId, Text.LONGEST_HOLDER).isBlank() || sessionId.equals("unknown")) {
            throw new InvalidException("session_id must identify one session, not '" + sessionId + "'");
        }
        if (Text.limited("kind", kind, 40).isBlank()) {
            throw new InvalidException("kind must not be blank; use claude, codex, person, processor or similar");
        }
        limited("name", name);
        limited("parent", parent);
        limited("host", host);
        limited("project", project);
        limited("branch", branch);
        if (name != null && (name.isBlank() || name.equals("unknown"))) {
            throw new InvalidException("'" + name + "' is not a name; leave name out, or give a real one");
        }
        if (name != null) {
            ReservedNames.check(name);
        }
    }

    /** The same session, started by this agent. */
    SessionStart under(String otherParent) {
        return new SessionStart(sessionId, kind, name, otherParent, host, pid, project, branch);
    }

    /** The same session, without saying where it runs. */
    SessionStart anywhere() {
        return new SessionStart(sessionId, kind, name, parent, null, null, project, branch);
    }

    private static void limited(String field, @Nullable String text) {
        if (text != null) {
            Text.limited(field, text, 150);
        }
    }
}
