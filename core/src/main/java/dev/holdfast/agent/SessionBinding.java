package dev.holdfast.agent;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a session is bound to. A caller that can prove none of it can neither end the session nor move it elsewhere.
 *
 * @param process the process that the session ends with; null: unknown
 * @param startedBy the process that called start_session; null: unknown
 * @param keyHash of the key that start_session returned; null if the session started before there were keys
 */
public record SessionBinding(
        Agent agent,
        @Nullable AgentProcess process,
        @Nullable AgentProcess startedBy,
        @Nullable String keyHash) {
    /** Stands for the key of a session that a hook started: no key has this hash. */
    private static final String OF_A_HOOK = "hook";

    public boolean live() {
        return agent.endedAt() == null;
    }

    /** Whether hooks started it, or it is from before that was recorded. */
    public boolean ofHook() {
        return keyHash == null || keyHash.equals(OF_A_HOOK);
    }

    static SessionBinding read(Row row) throws SQLException {
        String startedBy = row.textOrNull("started_by");
        return new SessionBinding(
                Agents.read(row),
                process(row),
                startedBy == null ? null : AgentProcess.parse(startedBy).orElse(null),
                row.textOrNull("key_hash"));
    }

    static @Nullable AgentProcess process(Row row) throws SQLException {
        String machine = row.textOrNull("machine");
        Long pid = row.numberOrNull("pid");
        Long started = row.timeOrNull("process_started_at");
        return machine == null || pid == null || started == null
                ? null
                : new AgentProcess(machine, pid, LeaseClock.instant(started));
    }

    /**
     * The terms on which a session starts or continues.
     *
     * @param moves whether a live session moves to where this start says it runs
     * @param startedBy the process that called; null: unknown
     * @param keyHash of a new key; null: a live session keeps the one it has
     */
    public record Terms(
            boolean moves,
            @Nullable AgentProcess startedBy,
            @Nullable String keyHash) {
        /** For programs that embed the engine and vouch for their sessions themselves. */
        public static final Terms OPEN = new Terms(true, null, null);

        /** For a hook, which gets no key. */
        public static Terms ofHook(boolean moves) {
            return new Terms(moves, null, OF_A_HOOK);
        }

        /** Whether the caller gets a new key; only a caller that may end the session does. */
        boolean givesKey() {
            return keyHash != null && !keyHash.equals(OF_A_HOOK);
        }
    }
}
