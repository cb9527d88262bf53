package dev.holdfast.agent;

import dev.holdfast.claim.Claims;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Tool calls that have started and not ended. While one runs, its agent is silent but at work, so its claims are
 * renewed for it. Call {@link #turn} regularly. Short calls are never stored. A long one is, so that a restarted broker
 * knows about it: on SQLite the only broker, on PostgreSQL one on the same machine. Brokers on other machines have not
 * heard of the call and will not hear of its end.
 */
public final class RunningToolCalls {
    /** A call whose end is never reported keeps its agent's claims for at most this long. */
    public static final Duration LONGEST = Duration.ofHours(2);

    /** A call that started before this run of the broker; its id was not stored. */
    private static final String BEFORE = "";

    private static final Sql NOTE = Sql.of("""
            UPDATE agents SET in_flight_at = :now, in_flight_on = :machine
            WHERE id = :id AND ended_at IS NULL AND in_flight_at IS NULL
            """);

    private static final Sql FORGET = Sql.of("UPDATE agents SET in_flight_at = NULL WHERE id = :id");

    private static final Sql NOTED =
            Sql.of("SELECT * FROM agents WHERE ended_at IS NULL AND in_flight_at > :earliest ORDER BY id");

    private static final Sql NOTED_HERE = Sql.of("""
            SELECT * FROM agents WHERE ended_at IS NULL AND in_flight_at > :earliest AND in_flight_on = :machine ORDER BY id
            """);

    private final Store store;
    private final Claims claims;
    private final LongSupplier nanoTime;
    private final String machine;
    /** When each call of an agent started. */
    private final Map<String, Map<String, Long>> running = new HashMap<>();

    /**
     * By subagent: the agent that waits for it. Its own turn may be long over while the subagent works, so its claims
     * are renewed with the subagent's.
     */
    private final Map<String, String> waiting = new HashMap<>();

    private final Set<String> noted = new HashSet<>();
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(RunningToolCalls.class), "renew the claims of");

    /** @param machine where this broker runs, in the form that sessions use */
    public RunningToolCalls(Store store, Claims claims, LongSupplier nanoTime, String machine) {
        this.store = store;
        this.claims = claims;
        this.nanoTime = nanoTime;
        this.machine = machine;
        for (Agent agent : store.read(this::noted)) {
            noted.add(agent.id());
            begin(agent, BEFORE);
        }
    }

    private List<Agent> noted(Transaction transaction) throws SQLException {
        long earliest = transaction.now() - LONGEST.toNanos() / 1_000;
        return switch (transaction.engine()) {
            case SQLITE -> transaction.list(NOTED, p -> p.time("earliest", earliest), Agents::read);
            case POSTGRES ->
                transaction.list(NOTED_HERE, p -> p.time("earliest", earliest).text("machine", machine), Agents::read);
        };
    }

    public void begin(Agent agent, String call) {
        long now = nanoTime.getAsLong();
        synchronized (running) {
            running.computeIfAbsent(agent.id(), _ -> new HashMap<>()).put(call, now);
            HostedSessions.waitingFor(agent).ifPresent(parent -> waiting.put(agent.id(), parent));
        }
    }

    public void end(String agent, String call) {
        drop(agent, (id, _) -> id.equals(call) || id.equals(BEFORE));
    }

    /** The agent's turn is over, and so are all its calls. */
    public void endAll(String agent) {
        drop(agent, (_, _) -> true);
    }

    /** Renews the claims of all agents with a running call. */
    public void turn() {
        List<String> agents;
        synchronized (running) {
            agents = List.copyOf(running.keySet());
        }
        long now = nanoTime.getAsLong();
        agents.forEach(agent -> bad.attempt(agent, () -> turn(agent, now)));
    }

    private boolean turn(String agent, long now) {
        drop(agent, (_, begun) -> now - begun > LONGEST.toNanos());
        if (isUnrecorded(agent)) {
            note(agent);
        }
        boolean running = isRunning(agent);
        if (running) {
            claims.beat(agent);
            waitingFor(agent).ifPresent(claims::beat);
        }
        return running;
    }

    private void drop(String agent, BiPredicate<String, Long> which) {
        boolean forget = false;
        synchronized (running) {
            Map<String, Long> calls = running.get(agent);
            if (calls != null) {
                calls.entrySet().removeIf(call -> which.test(call.getKey(), call.getValue()));
                if (calls.isEmpty()) {
                    running.remove(agent);
                    waiting.remove(agent);
                    forget = noted.remove(agent);
                }
            }
        }
        if (forget) {
            store.write(transaction -> transaction.update(FORGET, p -> p.text("id", agent)));
        }
    }

    private boolean isRunning(String agent) {
        synchronized (running) {
            return running.containsKey(agent);
        }
    }

    private Optional<String> waitingFor(String agent) {
        synchronized (running) {
            return Optional.ofNullable(waiting.get(agent));
        }
    }

    private boolean isUnrecorded(String agent) {
        synchronized (running) {
            return running.containsKey(agent) && noted.add(agent);
        }
    }

    private void note(String agent) {
        store.write(transaction -> {
            long now = transaction.now();
            return transaction.update(
                    NOTE, p -> p.time("now", now).text("machine", machine).text("id", agent));
        });
    }
}
