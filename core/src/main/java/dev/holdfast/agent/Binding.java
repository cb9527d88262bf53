package dev.holdfast.agent;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a session is bound to. Whoever shows none of it can neither end the session nor say that it runs elsewhere now.
 *
 * @param process that the session lives and dies with; null: not known
 * @param startedBy the process that called start_session; null: not known
 * @param keyHash of the key that start_session answered; null: the session began before there were keys
 */
public record Binding(
        Agent agent,
        @Nullable AgentProcess process,
        @Nullable AgentProcess startedBy,
        @Nullable String keyHash) {
    /** Stands for the key of a session that a hook began: no key has this hash. */
    private static final String OF_A_HOOK = "hook";

    public boolean live() {
        return agent.endedAt() == null;
    }

    /** Whether hooks began it, or it is from before that was noted. */
    public boolean ofHook() {
        return keyHash == null || keyHash.equals(OF_A_HOOK);
    }

    static Binding read(Row row) throws SQLException {
        String startedBy = row.textOrNull("started_by");
        return new Binding(
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
     * How a session begins, or goes on.
     *
     * @param moves whether a session that is live runs where this start says from now on
     * @param startedBy the process that called; null: not known
     * @param keyHash of a new key; null: a live session keeps the one it has
     */
    public record Terms(
            boolean moves,
            @Nullable AgentProcess startedBy,
            @Nullable String keyHash) {
        /** For programs that embed the engine, and answer for their sessions themselves. */
        public static final Terms OPEN = new Terms(true, null, null);

        /** Of a hook, which gets no key. */
        public static Terms ofHook(boolean moves) {
            return new Terms(moves, null, OF_A_HOOK);
        }

        /** Whether the caller is given a new key, which only whoever may end the session is. */
        boolean givesKey() {
            return keyHash != null && !keyHash.equals(OF_A_HOOK);
        }
    }
}
