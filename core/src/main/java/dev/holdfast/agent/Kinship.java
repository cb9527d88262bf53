package dev.holdfast.agent;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which agents count as one: a session, whatever started it, and whatever it started. Those who share one that started them
 * are one as well, for it tells both what to do. A person is not one with the agents that it starts.
 */
public final class Kinship {
    private static final String PERSON = "person";

    /** Nobody nests agents so deep. */
    private static final int MOST = 200;

    private static final Sql FIND = Sql.of("SELECT kind, parent FROM agents WHERE id = :id");

    private record Known(String kind, @Nullable String parent) {}

    private Kinship() {}

    /** These agents and all that started them. Whoever has one of them in common with another counts as the same. */
    public static Set<String> of(Transaction transaction, Collection<String> agents) throws SQLException {
        Set<String> kin = new LinkedHashSet<>();
        for (String agent : agents) {
            @Nullable String next = agent;
            while (next != null && kin.size() < MOST && kin.add(next)) {
                String parent = find(transaction, next).map(Known::parent).orElse(null);
                next = parent == null || isPerson(transaction, parent) ? null : parent;
            }
        }
        return kin;
    }

    /** What the agent is; null: it never had a session. */
    public static @Nullable String kind(Transaction transaction, String agent) throws SQLException {
        return find(transaction, agent).map(Known::kind).orElse(null);
    }

    public static boolean isPerson(String kind) {
        return kind.equals(PERSON);
    }

    private static boolean isPerson(Transaction transaction, String agent) throws SQLException {
        return find(transaction, agent).filter(known -> isPerson(known.kind)).isPresent();
    }

    private static Optional<Known> find(Transaction transaction, String agent) throws SQLException {
        return transaction.first(
                FIND, p -> p.text("id", agent), row -> new Known(row.text("kind"), row.textOrNull("parent")));
    }
}
