package dev.holdfast.agent;

import dev.holdfast.claim.Claim;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of coding agents as reported by their hosts' hooks. A session that is cleared, compacted or resumed may get
 * a new session id from its host but remains the same agent; forks and subagents are separate agents with a known
 * parent.
 */
public final class HostedSessions {
    private static final long WRITE_INTERVAL = Duration.ofMinutes(1).toNanos() / 1_000;

    /** How a session starts. */
    public enum Beginning {
        STARTED,
        /** The conversation in its process continues, perhaps under another session id. */
        CONTINUED,
        /** As {@link #CONTINUED}, or its process, which runs one session at a time, returned to an earlier one. */
        RESUMED,
        FORKED
    }

    /** What else the process runs. Two are enough to know that it is unclear which of them continues. */
    private static final Sql IN_PROCESS = Sql.of("""
            SELECT * FROM agents WHERE machine = :machine AND pid = :pid AND process_started_at BETWEEN :earliest AND :latest
                AND kind = :kind AND session_id <> :session_id AND ended_at IS NULL AND parent IS NULL
            ORDER BY id LIMIT 2 FOR UPDATE
            """);

    private static final Sql RENAME = Sql.of("UPDATE agents SET session_id = :session_id WHERE id = :id");

    private static final Sql RUNS_IN = Sql.of("""
            UPDATE agents SET machine = :machine, pid = coalesce(:pid, pid), process_started_at = :started WHERE id = :id
            """);

    private static final Sql RAN_IN = Sql.of("""
            INSERT INTO agent_processes (agent, machine, pid, started_at) VALUES (:id, :machine, :pid, :started)
            ON CONFLICT DO NOTHING
            """);

    private static final Sql EVER_IN = Sql.of("""
            SELECT a.* FROM agents a WHERE a.id IN (
                SELECT p.agent FROM agent_processes p
                WHERE p.machine = :machine AND p.pid = :pid AND p.started_at BETWEEN :earliest AND :latest)
            ORDER BY a.id
            """);

    private static final Sql BIND =
            Sql.of("UPDATE agents SET key_hash = :key_hash, started_by = :started_by WHERE id = :id");

    private static final Sql SEEN_SESSION = Sql.of("SELECT * FROM agents WHERE session_id = :session_id");

    private static final Sql SEEN_AGENT = Sql.of("SELECT * FROM agents WHERE id = :id");

    private static final Sql RUNNING = Sql.of("""
            SELECT * FROM agents WHERE ended_at IS NULL AND machine = :machine
                AND pid IS NOT NULL AND process_started_at IS NOT NULL ORDER BY id
            """);

    private static final Sql SUBAGENTS = Sql.of("""
            SELECT * FROM agents WHERE ended_at IS NULL AND parent = :id
                AND substr(session_id, 1, length(:prefix)) = :prefix ORDER BY id FOR UPDATE
            """);

    private final Store store;
    private final Agents agents;

    public HostedSessions(Store store, Agents agents) {
        this.store = store;
        this.agents = agents;
    }

    /** A session whose process is known. */
    public record Running(Agent agent, AgentProcess process) {}

    private record Seen(Agent agent, boolean lately) {}

    /** The session id of a subagent; its host gives it an id that is unique only within its session. */
    public static String subagent(String sessionId, String subagent) {
        return sessionId + "/" + subagent;
    }

    /** The session that waits for this one; empty if this is not a subagent. */
    public static Optional<String> waitingFor(Agent agent) {
        return agent.sessionId().contains("/") ? Optional.ofNullable(agent.parent()) : Optional.empty();
    }

    /**
     * As {@link #begin(SessionStart, AgentProcess, Beginning, Binding.Terms)}, for a caller that vouches for its
     * sessions itself.
     */
    public Agent begin(SessionStart start, @Nullable AgentProcess process, Beginning how) {
        return begin(start, process, how, SessionBinding.Terms.OPEN);
    }

    /** @param process null: unknown, and then so is what it ran before */
    public Agent begin(SessionStart start, @Nullable AgentProcess process, Beginning how, SessionBinding.Terms terms) {
        return store.write(transaction -> {
            Optional<Agent> known = Agents.ofSession(transaction, start.sessionId());
            boolean live = known.isPresent() && known.get().endedAt() == null;
            if (known.isPresent() && live && !terms.moves()) {
                return terms.givesKey()
                        ? bound(transaction, agents.start(transaction, start.anywhere()), terms, false)
                        : known.get(); // the caller is not authorised to change it
            }
            SessionStart begun = start;
            Optional<Agent> before = process == null || how == Beginning.STARTED
                    ? Optional.empty()
                    : before(transaction, start, process);
            if (before.isPresent()) {
                String id = before.get().id();
                if (how == Beginning.FORKED) {
                    begun = known.isEmpty() && start.parent() == null ? start.under(id) : start;
                } else if (known.isEmpty()) {
                    transaction.change(
                            RENAME, p -> p.text("session_id", start.sessionId()).text("id", id));
                    live = true;
                } else if (how == Beginning.RESUMED) {
                    end(transaction, before.get(), null);
                }
            }
            Agent agent = agents.start(transaction, begun);
            // a session that starts elsewhere, or does not name its process, no longer lives in its previous process
            transaction.change(
                    RUNS_IN,
                    p -> p.text("machine", process == null ? null : process.machine())
                            .number("pid", process == null ? null : process.pid())
                            .time("started", process == null ? null : LeaseClock.micros(process.startedAt()))
                            .text("id", agent.id()));
            if (process != null) {
                transaction.change(
                        RAN_IN,
                        p -> p.text("id", agent.id())
                                .text("machine", process.machine())
                                .number("pid", process.pid())
                                .time("started", LeaseClock.micros(process.startedAt())));
            }
            return bound(transaction, agent, terms, !live);
        });
    }

    private static Agent bound(Transaction transaction, Agent agent, SessionBinding.Terms terms, boolean fresh)
            throws SQLException {
        AgentProcess startedBy = terms.startedBy();
        // a hook has no key to give: a key that start_session gave a live session stays valid
        if (fresh || terms.givesKey()) {
            transaction.change(
                    BIND,
                    p -> p.text("key_hash", terms.keyHash())
                            .text("started_by", startedBy == null ? null : startedBy.text())
                            .text("id", agent.id()));
        }
        return agent;
    }

    /** What a session is bound to; empty if it never started here. */
    public Optional<SessionBinding> binding(String sessionId) {
        return store.read(transaction ->
                transaction.first(SEEN_SESSION, p -> p.text("session_id", sessionId), SessionBinding::read));
    }

    /** As {@link #binding}, for this agent's session. */
    public Optional<SessionBinding> bindingOf(String agent) {
        return store.read(transaction -> transaction.first(SEEN_AGENT, p -> p.text("id", agent), SessionBinding::read));
    }

    /**
     * What the process ran until now. Empty for a server with several sessions, such as Codex's: it does not tell which
     * one continues.
     */
    private static Optional<Agent> before(Transaction transaction, SessionStart start, AgentProcess process)
            throws SQLException {
        List<Agent> others = transaction.list(
                IN_PROCESS,
                p -> {
                    process.bind(p);
                    p.text("kind", start.kind()).text("session_id", start.sessionId());
                },
                Agents::read);
        return others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty();
    }

    /** The agent of this session, recorded as heard from. Empty if the session never started here. */
    public Optional<Agent> heard(String sessionId) {
        Optional<Seen> seen = store.read(transaction -> {
            long now = transaction.now();
            return transaction.first(
                    SEEN_SESSION,
                    p -> p.text("session_id", sessionId),
                    row -> new Seen(Agents.read(row), now - row.time("last_seen_at") < WRITE_INTERVAL));
        });
        if (seen.isPresent() && !seen.get().lately) {
            agents.seen(seen.get().agent.id());
        }
        return seen.map(Seen::agent);
    }

    /**
     * Ends a session and those of its subagents; everything they hold is freed.
     *
     * @param reason why it is considered dead; null if it ended its session itself
     */
    public List<Claim> end(Agent agent, @Nullable String reason) {
        return store.write(transaction -> end(transaction, agent, reason));
    }

    private List<Claim> end(Transaction transaction, Agent agent, @Nullable String reason) throws SQLException {
        List<Claim> released = new ArrayList<>();
        String prefix = subagent(agent.sessionId(), "");
        for (Agent child :
                transaction.list(SUBAGENTS, p -> p.text("id", agent.id()).text("prefix", prefix), Agents::read)) {
            released.addAll(agents.end(transaction, child.id(), reason));
        }
        released.addAll(agents.end(transaction, agent.id(), reason));
        return released;
    }

    /**
     * The sessions that each of these processes runs or ever ran, in process order; processes without any are left out.
     */
    public List<List<Agent>> everIn(List<AgentProcess> processes) {
        return store.read(transaction -> {
            List<Pending<List<Agent>>> asked = new ArrayList<>();
            for (AgentProcess process : processes) {
                asked.add(transaction.ask(EVER_IN, process::bind, Agents::read));
            }
            List<List<Agent>> found = new ArrayList<>();
            for (Pending<List<Agent>> ofOne : asked) {
                if (!ofOne.get().isEmpty()) {
                    found.add(ofOne.get());
                }
            }
            return found;
        });
    }

    /** Live sessions on a machine whose processes are known. */
    public List<Running> running(String machine) {
        return store.read(transaction -> transaction.list(
                RUNNING,
                p -> p.text("machine", machine),
                row -> new Running(Agents.read(row), Objects.requireNonNull(SessionBinding.process(row)))));
    }
}
