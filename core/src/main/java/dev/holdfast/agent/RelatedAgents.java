package dev.holdfast.agent;

import dev.holdfast.store.Pending;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which agents count as one: a session, whatever started it, and whatever it started. Agents started by the same agent
 * also count as one, because it directs both. A person does not count as one with the agents that they start.
 */
public final class RelatedAgents {
    static final String PERSON = "person";

    /** Nobody nests agents this deep. */
    private static final int MAX = 200;

    /** These agents and whatever started them, including people; UNION stops at a cycle. */
    private static final Sql ANCESTRY = Sql.of("""
            WITH RECURSIVE ancestry (id, kind, parent) AS (
                SELECT id, kind, parent FROM agents WHERE id = ANY (:ids)
                UNION SELECT a.id, a.kind, a.parent FROM ancestry c JOIN agents a ON a.id = c.parent)
            SELECT id, kind, parent FROM ancestry
            """);

    private record Known(String id, String kind, @Nullable String parent) {}

    private final Map<String, Known> known = new HashMap<>();

    private RelatedAgents(List<Known> all) {
        all.forEach(one -> known.put(one.id, one));
    }

    /** Loads what is known about these agents. */
    public static Pending<RelatedAgents> ask(Transaction transaction, Collection<String> agents) throws SQLException {
        if (agents.isEmpty()) {
            return () -> new RelatedAgents(List.of());
        }
        Pending<List<Known>> all = transaction.ask(
                ANCESTRY,
                p -> p.texts("ids", agents),
                row -> new Known(row.text("id"), row.text("kind"), row.textOrNull("parent")));
        return () -> new RelatedAgents(all.get());
    }

    /** These agents and all that started them. Agents whose sets overlap count as one. */
    public static Set<String> of(Transaction transaction, Collection<String> agents) throws SQLException {
        return ask(transaction, agents).get().of(agents);
    }

    /** As {@link #of(Transaction, Collection)}, for agents that were loaded. */
    public Set<String> of(Collection<String> agents) {
        Set<String> kin = new LinkedHashSet<>();
        for (String agent : agents) {
            @Nullable String next = agent;
            while (next != null && kin.size() < MAX && kin.add(next)) {
                Known one = known.get(next);
                String parent = one == null ? null : one.parent;
                next = parent == null || isPersonById(parent) ? null : parent;
            }
        }
        return kin;
    }

    /** All that started this agent, directly or indirectly, including people and others without a session. */
    static Set<String> starters(Transaction transaction, String agent) throws SQLException {
        Set<String> starters = new LinkedHashSet<>();
        for (Known one : ask(transaction, List.of(agent)).get().known.values()) {
            if (one.parent != null) {
                starters.add(one.parent);
            }
        }
        return starters;
    }

    /** The kind of a loaded agent; null if it never had a session. */
    public @Nullable String kind(String agent) {
        Known one = known.get(agent);
        return one == null ? null : one.kind;
    }

    public static boolean isPerson(String kind) {
        return kind.equals(PERSON);
    }

    private boolean isPersonById(String agent) {
        Known one = known.get(agent);
        return one != null && isPerson(one.kind);
    }
}
