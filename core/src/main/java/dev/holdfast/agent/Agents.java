package dev.holdfast.agent;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Claims;
import dev.holdfast.event.Events;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sessions of agents: started, seen, ended. A session id always means the same agent, however often the session is
 * resumed.
 */
public final class Agents {
    private static final Sql OF_SESSION = Sql.of("SELECT * FROM agents WHERE session_id = :session_id FOR UPDATE");

    /**
     * Taken by another session, present or past, by a pool reviewer, or by somebody without a session who holds
     * something or has something reserved.
     */
    private static final Sql TAKEN = Sql.of("""
            SELECT id FROM agents WHERE id = :id
            UNION ALL SELECT id FROM former_agents WHERE id = :id AND session_hash <> :session_hash
            UNION ALL SELECT id FROM reviewers WHERE id = :id
            UNION ALL SELECT reserved_for FROM reviews WHERE reserved_for = :id
            UNION ALL SELECT :id WHERE""" + ClaimSql.holdsSomething(":id"));

    private static final Sql INSERT = Sql.of("""
            INSERT INTO agents (id, session_id, kind, name, parent, host, pid, project, branch, started_at, last_seen_at)
            VALUES (:id, :session_id, :kind, :name, :parent, :host, :pid, :project, :branch, :now, :now)
            ON CONFLICT DO NOTHING
            """);

    /** An agent stays what it is: it cannot become a person, or another make, by saying so. */
    private static final Sql RESUME = Sql.of("""
            UPDATE agents SET kind = CASE WHEN kind = 'person' THEN :kind ELSE kind END, name = coalesce(:name, name), parent = coalesce(:parent, parent),
                host = coalesce(:host, host), pid = coalesce(:pid, pid), project = coalesce(:project, project),
                branch = coalesce(:branch, branch), last_seen_at = :now, ended_at = NULL
            WHERE session_id = :session_id
            """);

    private static final Sql SEEN = Sql.of("UPDATE agents SET last_seen_at = :now WHERE id = :id AND ended_at IS NULL");

    private static final Sql END = Sql.of(
            "UPDATE agents SET ended_at = :now, last_seen_at = :now, in_flight_at = NULL WHERE id = :id AND ended_at IS NULL");

    private static final Sql LIVE =
            Sql.of("SELECT * FROM agents WHERE ended_at IS NULL AND id > :after ORDER BY id LIMIT :max");

    private static final Sql ALL = Sql.of("SELECT * FROM agents WHERE id > :after ORDER BY id LIMIT :max");

    private static final Sql FIND = Sql.of("SELECT * FROM agents WHERE id = :id");

    private final Store store;
    private final Claims claims;
    private final Events events;

    public Agents(Store store, Claims claims) {
        this.store = store;
        this.claims = claims;
        events = claims.events();
    }

    /** The agent of this session: created if it is new, revived if it had ended. */
    public Agent start(SessionStart start) {
        return store.write(transaction -> start(transaction, start));
    }

    Agent start(Transaction transaction, SessionStart start) throws SQLException {
        Optional<Agent> before = ofSession(transaction, start.sessionId());
        long now = transaction.now();
        if (before.isPresent()) {
            transaction.change(RESUME, p -> bind(p, start, now));
        } else {
            String id = freeId(transaction, start);
            transaction.change(INSERT, p -> bind(p.text("id", id), start, now));
        }
        Agent agent = ofSession(transaction, start.sessionId())
                .orElseThrow(() -> new SQLException("two sessions took the same id", "40001"));
        if (before.isEmpty() || before.get().endedAt() != null) {
            events.append(transaction, now, "session_started", "agent:" + agent.id(), agent.id(), null, null);
        }
        return agent;
    }

    /** Whether this agent has a session that has not ended. */
    public static boolean live(Transaction transaction, String id) throws SQLException {
        return transaction
                .first(FIND, p -> p.text("id", id), row -> row.timeOrNull("ended_at") == null)
                .orElse(false);
    }

    /** Whether this agent has a session that has not ended and was heard from at this time or later. */
    public static boolean heardSince(Transaction transaction, String id, long since) throws SQLException {
        return transaction
                .first(
                        FIND,
                        p -> p.text("id", id),
                        row -> row.timeOrNull("ended_at") == null && row.time("last_seen_at") >= since)
                .orElse(false);
    }

    /** Ends a session and releases everything it holds; empty if there is no such session. */
    public Optional<List<Claim>> end(String sessionId) {
        return store.write(transaction -> {
            Optional<Agent> agent = ofSession(transaction, sessionId);
            return agent.isEmpty()
                    ? Optional.empty()
                    : Optional.of(end(transaction, agent.get().id(), null));
        });
    }

    /**
     * Releases everything that the agent holds, or reclaims it; its handoff notes stay for the next holders.
     *
     * @param reason why it is considered dead; null if it ended its session itself
     */
    List<Claim> end(Transaction transaction, String id, @Nullable String reason) throws SQLException {
        List<Claim> released =
                reason == null ? claims.releaseAll(transaction, id, null) : claims.reclaimAll(transaction, id, reason);
        long now = transaction.now();
        if (transaction.update(END, p -> p.time("now", now).text("id", id)) > 0) {
            String detail = reason == null ? null : JsonMapper.shared().writeValueAsString(Map.of("reason", reason));
            events.append(transaction, now, "session_ended", "agent:" + id, id, null, detail);
        }
        return released;
    }

    /** Records that the agent was heard from. Does nothing for a holder without a session. */
    public void seen(String id) {
        store.write(transaction -> {
            long now = transaction.now();
            return transaction.update(SEEN, p -> p.time("now", now).text("id", id));
        });
    }

    public Optional<Agent> find(String id) {
        return store.read(transaction -> transaction.first(FIND, p -> p.text("id", id), Agents::read));
    }

    /** Whether these names belong to agents that count as one ({@link RelatedAgents}). */
    public boolean areOne(Collection<String> these, Collection<String> those) {
        return store.read(transaction ->
                !Collections.disjoint(RelatedAgents.of(transaction, these), RelatedAgents.of(transaction, those)));
    }

    /** All agents that started this one, directly or indirectly. */
    public Set<String> starters(String id) {
        return store.read(transaction -> RelatedAgents.starters(transaction, id));
    }

    /** Agents in id order, after this one (empty: from the start). */
    public List<Agent> list(boolean endedToo, String after, int max) {
        return store.read(transaction -> transaction.list(
                endedToo ? ALL : LIVE, p -> p.text("after", after).number("max", max), Agents::read));
    }

    /**
     * People are called by their name, unless it is taken; everybody else by their kind and part of their session's
     * hash. An id under which somebody holds claims is never assigned: the end of a session frees everything that its
     * id holds.
     */
    private static String freeId(Transaction transaction, SessionStart start) throws SQLException {
        String name = start.name();
        String hash = Sha256.hex(start.sessionId());
        if (name != null && start.kind().equals("person") && !taken(transaction, name, hash)) {
            return name;
        }
        String base = name == null ? start.kind() : name;
        for (int length = 6; length < hash.length(); length += 6) {
            String id = base + "-" + hash.substring(0, length);
            if (!taken(transaction, id, hash)) {
                return id;
            }
        }
        return base + "-" + hash;
    }

    private static boolean taken(Transaction transaction, String id, String sessionHash) throws SQLException {
        return transaction
                .first(TAKEN, p -> p.text("id", id).text("session_hash", sessionHash), row -> row.text("id"))
                .isPresent();
    }

    static Optional<Agent> ofSession(Transaction transaction, String sessionId) throws SQLException {
        return transaction.first(OF_SESSION, p -> p.text("session_id", sessionId), Agents::read);
    }

    private static void bind(Parameters p, SessionStart start, long now) throws SQLException {
        p.text("session_id", start.sessionId())
                .text("kind", start.kind())
                .text("name", start.name())
                .text("parent", start.parent())
                .text("host", start.host())
                .number("pid", start.pid())
                .text("project", start.project())
                .text("branch", start.branch())
                .time("now", now);
    }

    static Agent read(Row row) throws SQLException {
        return new Agent(
                row.text("id"),
                row.text("session_id"),
                row.text("kind"),
                row.textOrNull("name"),
                row.textOrNull("parent"),
                row.textOrNull("host"),
                row.numberOrNull("pid"),
                row.textOrNull("project"),
                row.textOrNull("branch"),
                instant(row.time("started_at")),
                instant(row.time("last_seen_at")),
                instantOrNull(row.timeOrNull("ended_at")));
    }

    private static Instant instant(long micros) {
        return LeaseClock.instant(micros);
    }

    private static @Nullable Instant instantOrNull(@Nullable Long micros) {
        return micros == null ? null : instant(micros);
    }
}
