package dev.holdfast.claim;

import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who holds what, and how much waits: read, never locked. */
public final class Holdings {
    private static final Sql HELD = Sql.of("""
            SELECT r.*, o.expires_at AS outer_expires_at FROM resources r
            LEFT JOIN resources o ON o.key = r.outer_key AND o.state = 'held'
                AND o.generation = r.outer_generation AND o.holder = r.holder
            WHERE r.state = 'held' AND (r.outer_key IS NULL OR o.key IS NOT NULL)
            ORDER BY r.acquired_at, r.key
            """);

    private static final Sql HELD_BY = Sql.of("""
            SELECT r.*, o.expires_at AS outer_expires_at FROM resources r
            LEFT JOIN resources o ON o.key = r.outer_key AND o.state = 'held'
                AND o.generation = r.outer_generation AND o.holder = r.holder
            WHERE r.state = 'held' AND r.holder = :holder AND (r.outer_key IS NULL OR o.key IS NOT NULL)
            ORDER BY r.acquired_at, r.key
            """);

    private static final Sql READY_DEPTHS = Sql.of("""
            SELECT kind, 'ready' AS state, count(*) AS depth FROM resources
            WHERE state = 'ready' AND NOT kept AND not_before IS NULL GROUP BY kind
            """);

    private static final Sql HELD_DEPTHS =
            Sql.of("SELECT kind, 'held' AS state, count(*) AS depth FROM resources WHERE state = 'held' GROUP BY kind");

    private Holdings() {}

    /** So many resources of a kind are in this state. */
    public record Depth(String kind, String state, long depth) {}

    static List<Claim> list(
            Transaction transaction, @Nullable Kind kind, @Nullable String holder, @Nullable String queue)
            throws SQLException {
        return transaction
                .list(
                        holder == null ? HELD : HELD_BY,
                        p -> {
                            if (holder != null) {
                                p.text("holder", holder);
                            }
                        },
                        row -> {
                            ResourceRow held = ResourceTable.read(row);
                            Long expiry = held.under == null ? held.expiresAt : row.timeOrNull("outer_expires_at");
                            return (kind == null || held.resource.kind() == kind)
                                            && (queue == null || held.queue.equals(queue))
                                    ? Optional.of(held.claim(expiry))
                                    : Optional.<Claim>empty();
                        })
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    static List<Depth> depths(Transaction transaction) throws SQLException {
        List<Depth> depths = new ArrayList<>();
        for (Sql sql : List.of(READY_DEPTHS, HELD_DEPTHS)) {
            depths.addAll(transaction.list(
                    sql, _ -> {}, row -> new Depth(row.text("kind"), row.text("state"), row.number("depth"))));
        }
        return depths;
    }
}
